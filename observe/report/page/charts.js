// Charts by Vega, redrawn when the page changes its width or its colours.

// Where the axes of time stand, in all charts the same, so that panels align.
const margin = {left: 64, right: 14};

// `make(width)` returns a Vega specification; `label` says in words what the chart shows.
function chart(make, label, place) {
  const holder = element('div', {class: 'chart', role: 'img', 'aria-label': label});
  place.append(holder);
  let view = null, width = 0;
  const draw = () => {
    width = holder.clientWidth;
    if (width < 80) return;
    if (view) view.finalize();
    holder.replaceChildren();
    const ink = color('--ink'), soft = color('--soft'), line = color('--line');
    view = new vega.View(vega.parse({
      autosize: 'none', background: color('--card'), padding: 0, ...make(width),
      config: {
        axis: {labelColor: soft, titleColor: ink, domainColor: line, tickColor: line, gridColor: line, labelFontSize: 11, titleFontSize: 11,
               titleFontWeight: 'normal'},
        legend: {labelColor: ink, titleColor: ink, labelFontSize: 11, titleFontSize: 11},
        title: {color: ink, fontSize: 12, fontWeight: 600, anchor: 'start', offset: 4},
        text: {fill: ink},
      },
    }), {renderer: 'canvas', container: holder, hover: true});
    view.run();
    if (result.ready) result.ready(view);
  };
  const result = {draw, holder, get view() { return view; }};
  const sizes = new ResizeObserver(() => { if (holder.clientWidth !== width) draw(); });
  sizes.observe(holder);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', draw);
  drawn.push(() => {
    sizes.disconnect();
    dark.removeEventListener('change', draw);
    if (view) view.finalize();
  });
  return result;
}

// What gives up the charts of the page, before they are made anew.
const drawn = [];

const cycleScale = (width, domain) =>
    ({name: 'x', type: 'linear', domain, range: [0, width - margin.left - margin.right], zero: false, nice: false});
const cycleAxis = {orient: 'bottom', scale: 'x', format: '~s', tickCount: {signal: 'width / 110'}, title: 'core cycle'};
