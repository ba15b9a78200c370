improveTables();
if (data.kind === 'run') showRun();
if (data.kind === 'study') showStudy();
if (data.live) follow();
document.documentElement.dataset.ready = 'true';

// The page of a running run asks for its figures until it has ended.
function follow() {
  const place = document.getElementById('explorer'), said = document.getElementById('live');
  const say = text => { said.textContent = data.live.ended ? 'The run has ended; this is its last state.' : text; };
  say(`Running. ${data.live.status}`);
  const next = async () => {
    try {
      const answer = await fetch('/data');
      if (!answer.ok) throw new Error(answer.status);
      const fresh = await answer.json();
      if (!document.querySelector('#explorer :active')) {
        const focus = document.activeElement && document.activeElement.id, top = scrollY;
        data = fresh;
        drawn.splice(0).forEach(give => give());
        state.listeners.length = 0;
        place.style.minHeight = place.offsetHeight + 'px';
        place.replaceChildren();
        showRun();
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
