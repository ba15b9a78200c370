showPage();
if (data.live) follow();
document.documentElement.dataset.ready = 'true';

function showPage() {
  if (data.live && data.live.body !== undefined) document.getElementById('live_body').innerHTML = data.live.body;
  improveTables();
  if (data.kind === 'run') showRun();
  if (data.kind === 'study') showStudy();
}

// A live page asks for its figures until the run has ended.
function follow() {
  const said = document.getElementById('live');
  const say = text => { said.textContent = data.live.ended ? 'The run has ended; this is its last state.' : text; };
  say(`Running. ${data.live.status}`);
  const next = async () => {
    try {
      const answer = await fetch('/data');
      if (!answer.ok) throw new Error(answer.status);
      const fresh = await answer.json();
      if (!document.querySelector('main :active')) {
        const place = document.getElementById('live_body') || document.getElementById('explorer');
        const focus = document.activeElement && document.activeElement.id, top = scrollY;
        data = fresh;
        drawn.splice(0).forEach(give => give());
        state.listeners.length = 0;
        place.style.minHeight = place.offsetHeight + 'px';
        place.replaceChildren();
        showPage();
        place.style.minHeight = '';
        if (focus && document.getElementById(focus)) document.getElementById(focus).focus({preventScroll: true});
        scrollTo(0, top);
        say(`Running. ${data.live.status}`);
      }
    } catch (error) {
      said.textContent = 'The run has ended, or its page cannot be reached; this is the last state that it gave.';
      return;
    }
    // The answer comes when there is something new, at most once a second.
    if (!data.live.ended) setTimeout(next, 0);
  };
  if (!data.live.ended) setTimeout(next, 0);
}
