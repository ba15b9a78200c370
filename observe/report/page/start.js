improveTables();
if (data.kind === 'run') showRun();
if (data.kind === 'study') showStudy();
document.documentElement.dataset.ready = 'true';
