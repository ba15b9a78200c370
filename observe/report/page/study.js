// The charts of a study: a heat map over two axes, two figures against each other with their Pareto front, and how
// each axis moves a figure. Workloads, that is kernels with their parameters, are never mixed: one is shown at a time.

function showStudy() {
  const place = document.getElementById('explorer'), {axes, names, groups} = data;
  const varied = axes.map((axis, i) => ({...axis, i})).filter(axis => axis.values.length > 1 && !axis.replicate && !axis.workload);
  const ofWorkload = axes.map((axis, i) => ({...axis, i})).filter(axis => axis.workload && axis.values.length > 1);
  const workloadOf = group => ofWorkload.map(axis => (axis.name === 'kernel' ? '' : axis.name + '=') + axis.values[group.values[axis.i]]).join(' ');
  const workloads = [...new Set(groups.map(workloadOf))];
  const figure = (group, name) => (group.figures[names.indexOf(name)] || [NaN, 0]);
  const numeric = values => values.every(value => value !== '' && !Number.isNaN(Number(value)));
  const pick = (name, label, options, fallback) => {
    const select = element('select', {id: name, onchange: () => state.set({[name]: select.value})}, ...options.map(option => element('option', {value: option}, option)));
    select.value = state.get(name, fallback);
    if (select.selectedIndex < 0) select.selectedIndex = 0;
    state.listeners.push(changed => { if (changed.has(name)) select.value = state.get(name, fallback); });
    return [element('label', {for: name}, label), select];
  };
  const chosen = (name, options, fallback) => options.includes(state.get(name, fallback)) ? state.get(name, fallback) : options[0];
  const axisNames = varied.map(axis => axis.name);
  const ofWorkloadShown = () => groups.filter(group => workloadOf(group) === chosen('workload', workloads, workloads[0]));
  const figureName = () => chosen('figure', names, 'core_cycles');
  const describe = group => varied.map(axis => `${axis.name.split('.').pop()}=${axis.values[group.values[axis.i]]}`).join(', ');
  const text = ([mean, half]) => digits(mean) + (half ? ` +- ${digits(half)}` : '');
  const open = view => view.addEventListener('click', (event, item) => {
    if (item && item.datum && item.datum.link) location.href = item.datum.link;
  });
  const charts = [];
  const draws = (make, label, where) => {
    const made = chart(make, label, where);
    made.ready = open;
    charts.push(made);
  };
  const controls = element('section', {class: 'sticky controls', 'aria-label': 'what is shown'},
    ...(workloads.length > 1 ? pick('workload', 'workload', workloads, workloads[0]) : []), ...pick('figure', 'figure', names, 'core_cycles'));
  place.append(controls);

  if (varied.length > 0) {
    const heat = element('div', {id: 'study_heat'});
    const second = varied.length > 1 ? axisNames[1] : axisNames[0];
    place.append(section('Heat map', element('div', {class: 'controls'}, ...pick('x', 'across', axisNames, axisNames[0]),
      ...(varied.length > 1 ? pick('y', 'down', axisNames, second) : [])),
      element('p', {class: 'note'}, 'Means over the axes that are not shown. A cell opens a run of it.'), heat));
    draws(width => {
      const x = varied[axisNames.indexOf(chosen('x', axisNames, axisNames[0]))], y = varied[axisNames.indexOf(chosen('y', axisNames, second))];
      const cells = new Map();
      for (const group of ofWorkloadShown()) {
        const [mean] = figure(group, figureName());
        const key = group.values[x.i] + ' ' + group.values[y.i];
        if (!cells.has(key)) cells.set(key, {x: x.values[group.values[x.i]], y: x === y ? '' : y.values[group.values[y.i]], values: [], link: group.links[0]});
        if (Number.isFinite(mean)) cells.get(key).values.push(mean);
      }
      const values = [...cells.values()].filter(cell => cell.values.length).map(cell => ({...cell, v: sum(cell.values) / cell.values.length}))
                                        .map(cell => ({...cell, text: digits(cell.v)}));
      const ys = x === y ? [''] : y.values, inner = width - margin.left - 40, height = Math.max(40, ys.length * 30);
      const range = values.map(cell => cell.v), low = Math.min(...range), high = Math.max(...range);
      return {
        width, height: height + 56, data: [{name: 'cells', values}],
        scales: [{name: 'x', type: 'band', domain: x.values, range: [0, inner]}, {name: 'y', type: 'band', domain: ys, range: [0, height]},
                 {name: 'fill', type: 'linear', domain: [low, high], range: {scheme: 'viridis'}, zero: false}],
        marks: [{type: 'group', encode: {update: {x: {value: margin.left + 20}, y: {value: 6}, width: {value: inner}, height: {value: height}}},
          axes: [{orient: 'bottom', scale: 'x', title: x.name}, {orient: 'left', scale: 'y'}],
          marks: [
            {type: 'rect', from: {data: 'cells'}, encode: {update: {x: {scale: 'x', field: 'x'}, width: {scale: 'x', band: 1}, y: {scale: 'y', field: 'y'}, height: {scale: 'y', band: 1},
              fill: {scale: 'fill', field: 'v'}, cursor: {value: 'pointer'}, tooltip: {signal: "datum.x + ', ' + datum.y + ': ' + datum.text"}}}},
            {type: 'text', interactive: false, from: {data: 'cells'}, encode: {update: {x: {scale: 'x', field: 'x', band: 0.5}, y: {scale: 'y', field: 'y', band: 0.5}, align: {value: 'center'}, baseline: {value: 'middle'},
              text: {field: 'text'}, fill: {signal: `datum.v > ${(low + high) / 2} ? 'black' : 'white'`}, fontSize: {value: 11}}}}]}]};
    }, 'heat map of the figure over two axes', heat);
  }

  // Pareto front: smaller is better in both figures, except for rates.
  const pareto = element('div', {id: 'study_pareto'});
  const better = name => /^(ipc|issued_share|resident_warps|speed_up)$/.test(name) ? -1 : 1;
  place.append(section('Two figures', element('div', {class: 'controls'}, ...pick('against', 'against', names, 'ipc')),
    element('p', {class: 'note'}, 'With 95 % intervals. The line is the Pareto front: nothing beats its points in both figures. A point opens its run.'), pareto));
  draws(width => {
    const a = chosen('against', names, 'ipc'), b = figureName(), inner = width - margin.left - margin.right, height = 260;
    const values = ofWorkloadShown().map(group => ({x: figure(group, a), y: figure(group, b), name: describe(group), link: group.links[0]}))
      .filter(p => Number.isFinite(p.x[0]) && Number.isFinite(p.y[0]))
      .map(p => ({...p, text: `${p.name}: ${a} ${text(p.x)}, ${b} ${text(p.y)}`, x: p.x[0], x0: p.x[0] - p.x[1], x1: p.x[0] + p.x[1], y: p.y[0], y0: p.y[0] - p.y[1], y1: p.y[0] + p.y[1]}));
    const sx = better(a), sy = better(b), format = v => v < 1000 ? '.3~g' : '~s';
    const largest = key => Math.max(...values.map(p => Math.abs(p[key])));
    for (const p of values) p.front = !values.some(q => sx * q.x <= sx * p.x && sy * q.y <= sy * p.y && (q.x !== p.x || q.y !== p.y));
    const front = values.filter(p => p.front).sort((p, q) => p.x - q.x);
    const domain = (low, high) => { const pad = (high - low) * 0.06 || Math.abs(high) * 0.05 || 1; return [low - pad, high + pad]; };
    const extent = (lows, highs) => domain(Math.min(...values.map(p => p[lows])), Math.max(...values.map(p => p[highs])));
    const rule = (x, y, x2, y2) => ({type: 'rule', from: {data: 'points'}, encode: {update: {x: {scale: 'x', field: x}, x2: {scale: 'x', field: x2}, y: {scale: 'y', field: y}, y2: {scale: 'y', field: y2}, stroke: {value: color('--soft')}}}});
    return {
      width, height: height + 56, data: [{name: 'points', values}, {name: 'front', values: front}],
      scales: [{name: 'x', type: 'linear', domain: extent('x0', 'x1'), range: [0, inner], zero: false}, {name: 'y', type: 'linear', domain: extent('y0', 'y1'), range: [height, 0], zero: false}],
      marks: [{type: 'group', encode: {update: {x: {value: margin.left}, y: {value: 8}, width: {value: inner}, height: {value: height}}},
        axes: [{orient: 'bottom', scale: 'x', title: a, format: format(largest('x')), tickCount: {signal: 'width / 100'}, grid: true}, {orient: 'left', scale: 'y', format: format(largest('y')), title: b, grid: true, tickCount: 5}],
        marks: [{type: 'line', from: {data: 'front'}, encode: {update: {x: {scale: 'x', field: 'x'}, y: {scale: 'y', field: 'y'}, stroke: {value: '#e8590c'}, strokeWidth: {value: 1.5}}}},
          rule('x0', 'y', 'x1', 'y'), rule('x', 'y0', 'x', 'y1'),
          {type: 'symbol', from: {data: 'points'}, encode: {update: {x: {scale: 'x', field: 'x'}, y: {scale: 'y', field: 'y'}, size: {value: 70}, cursor: {value: 'pointer'},
            fill: {signal: "datum.front ? '#e8590c' : '#868e96'"}, tooltip: {field: 'text'}}}}]}]};
  }, 'two figures of every design against each other', pareto);

  // Sensitivity: the mean over all points with a value of an axis, relative to the mean over all points.
  if (varied.length > 0) {
    const sensitivity = element('div', {id: 'study_sensitivity'});
    place.append(section('Sensitivity', element('p', {class: 'note'}, 'For every value of an axis: the mean of the figure over all points with it, relative to that over all points, with its 95 % interval from the replicates.'), sensitivity));
    draws(width => {
      const points = ofWorkloadShown(), name = figureName(), left = Math.min(260, width * 0.42), inner = width - left - margin.right;
      const mean = some => {
        const values = some.map(group => figure(group, name)).filter(([value]) => Number.isFinite(value));
        return [sum(values.map(v => v[0])) / values.length, Math.sqrt(sum(values.map(v => v[1] * v[1]))) / values.length];
      };
      const [all] = mean(points);
      const rows = varied.flatMap(axis => axis.values.map((value, v) => {
        const [at, half] = mean(points.filter(group => group.values[axis.i] === v));
        return {name: `${axis.name.split('.').pop()} = ${value}`, v: 100 * (at / all - 1), low: 100 * ((at - half) / all - 1), high: 100 * ((at + half) / all - 1)};
      })).filter(row => Number.isFinite(row.v));
      const reach = Math.max(0.1, ...rows.map(row => Math.max(Math.abs(row.low), Math.abs(row.high)))) * 1.1, height = rows.length * 20;
      return {
        width, height: height + 56, data: [{name: 'rows', values: rows}],
        scales: [{name: 'x', type: 'linear', domain: [-reach, reach], range: [0, inner]}, {name: 'y', type: 'band', domain: rows.map(row => row.name), range: [0, height], padding: 0.3}],
        marks: [{type: 'group', encode: {update: {x: {value: left}, y: {value: 6}, width: {value: inner}, height: {value: height}}},
          axes: [{orient: 'bottom', scale: 'x', title: `${name}, % from the mean of all points`, grid: true, tickCount: {signal: 'width / 100'}}, {orient: 'left', scale: 'y', labelLimit: left - 10}],
          marks: [{type: 'rect', from: {data: 'rows'}, encode: {update: {x: {scale: 'x', field: 'v'}, x2: {scale: 'x', value: 0}, y: {scale: 'y', field: 'name'}, height: {scale: 'y', band: 1},
              fill: {signal: `(${better(name)} * datum.v) < 0 ? '#2b8a3e' : '#e8590c'`}, tooltip: {signal: "datum.name + ': ' + format(datum.v, '+.2f') + ' %'"}}}},
            {type: 'rule', from: {data: 'rows'}, encode: {update: {x: {scale: 'x', field: 'low'}, x2: {scale: 'x', field: 'high'}, y: {scale: 'y', field: 'name', band: 0.5}, stroke: {value: color('--ink')}, strokeWidth: {value: 1.5}}}}]}]};
    }, 'how each axis moves the figure', sensitivity);
  }

  // Interactions: what is left of a pair of values when the effects of both are taken away, on logarithms of the means, as
  // Study.interactions() in Python. The interval joins those of the designs, as if their replicates had nothing in common.
  const interactions = () => {
    const name = figureName();
    const points = ofWorkloadShown().map(group => ({group, figure: figure(group, name)})).filter(({figure: [mean]}) => mean > 0)
      .map(({group, figure: [mean, half]}) => ({group, log: Math.log(mean), half: half / mean}));
    const pairs = varied.flatMap((a, i) => varied.slice(i + 1).map(b => [a, b]));
    return pairs.flatMap(([a, b]) => a.values.flatMap((x, ax) => b.values.map((y, by) => {
      const ofA = p => p.group.values[a.i] === ax, ofB = p => p.group.values[b.i] === by;
      const count = some => points.filter(some).length, both = count(p => ofA(p) && ofB(p));
      const share = p => (ofA(p) && ofB(p)) / both - ofA(p) / count(ofA) - ofB(p) / count(ofB) + 1 / points.length;
      const label = (axis, value) => `${axis.name.split('.').pop()} = ${value}`;
      return {a: label(a, x), b: label(b, y), effect: 100 * Math.expm1(sum(points.map(p => share(p) * p.log))),
              half: 100 * Math.sqrt(sum(points.map(p => (share(p) * p.half) ** 2)))};
    }))).filter(row => Number.isFinite(row.effect));
  };
  if (varied.length > 1) {
    const signed = value => (value < 0 ? '' : '+') + value.toFixed(2);
    const table = sortable({columns: [
      {title: 'value', left: true, value: row => row.a, cell: row => row.a}, {title: 'with', left: true, value: row => row.b, cell: row => row.b},
      {title: 'effect, %', value: row => Math.abs(row.effect), cell: row => signed(row.effect)},
      {title: '95 % interval', value: row => row.half, cell: row => row.half ? `${signed(row.effect - row.half)} .. ${signed(row.effect + row.half)}` : 'no replicates'},
    ], rows: () => interactions().sort((p, q) => Math.abs(q.effect) - Math.abs(p.effect)).slice(0, 40), memory: 'order.interactions', order: '2.down', label: 'interactions'});
    place.append(section('Interactions', element('p', {class: 'note'}, 'How far two values together change the figure beyond what each does alone; 0: one axis does the same at every value of the other. The largest 40.'),
      element('div', {id: 'study_interactions'}, table.view)));
    state.listeners.push(changed => { if (['workload', 'figure', 'order.interactions'].some(name => changed.has(name))) table.fill(); });
  }
  state.listeners.push(changed => { if (['workload', 'figure', 'x', 'y', 'against'].some(name => changed.has(name))) charts.forEach(c => c.draw()); });
}
