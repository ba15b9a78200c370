// The explorer of one run.

function showRun() {
  const chip = data.chip, place = document.getElementById('explorer');
  const timeline = new Timeline(data.time, chip);
  const panels = panelsOf(timeline), heats = heatChoices(timeline);
  const all = data.kernels.map(kernel => kernel.name);

  // -- what is chosen --
  // A launch by number, a kernel by name, or all.
  function chosen() {
    const [kind, name] = state.get('launch', 'all').split(/:(.*)/);
    if (kind === 'l' && data.launches[name]) {
      const launch = data.launches[name];
      return {...launch, launches: [launch], kernels: [launch], title: `launch ${Number(name) + 1}, ${launch.kernel}`};
    }
    const kernels = data.kernels.filter(kernel => kind !== 'k' || kernel.name === name);
    const launches = data.launches.filter(launch => kind !== 'k' || launch.kernel === name);
    const slots = {};
    for (const kernel of kernels) for (const [key, count] of Object.entries(kernel.slots)) slots[key] = (slots[key] || 0) + count;
    return {slots, kernels, launches, cycles: kernels.reduce((n, kernel) => n + kernel.cycles, 0),
            begin: kind === 'k' && launches.length ? launches[0].begin : 0,
            end: kind === 'k' && launches.length ? launches[launches.length - 1].end : timeline.last,
            title: kind === 'k' ? `all launches of ${name}` : 'all launches'};
  }
  // The window in core cycles; brushed: chosen by hand.
  function win() {
    const from = parseInt(state.get('from', ''), 10), to = parseInt(state.get('to', ''), 10);
    const brushed = Number.isFinite(from) && Number.isFinite(to) && from < to && from < timeline.last && from >= 0;
    // The slots of a launch that runs are in the intervals alone.
    const whole = data.live && !data.live.ended && state.get('launch', 'all') === 'all';
    const {begin, end} = chosen();
    const [first, last] = brushed ? timeline.range(from, to) : timeline.range(begin, end);
    return {brushed: brushed || whole, chosen: brushed, first, last, from: timeline.begins[first], to: timeline.ends[last - 1]};
  }
  const setWindow = (from, to) => state.set({from: from === null ? null : Math.round(from), to: to === null ? null : Math.round(to)});

  // -- launch picker --
  const picker = element('select', {id: 'launch', onchange: () => state.set({launch: picker.value, from: null, to: null})});
  picker.append(element('option', {value: 'all'}, `all launches (${grouped(data.cycles)} core cycles)`));
  if (all.length > 1)
    picker.append(element('optgroup', {label: 'kernels'}, ...data.kernels.map(kernel =>
      element('option', {value: 'k:' + kernel.name}, `${kernel.name} (${kernel.launches} x, ${grouped(kernel.cycles)} core cycles)`))));
  picker.append(element('optgroup', {label: 'launches'}, ...data.launches.map((launch, i) =>
    element('option', {value: 'l:' + i}, `${i + 1}: ${launch.kernel}, grid ${launch.grid} (${grouped(launch.cycles)} core cycles)`))));
  const reset = element('button', {type: 'button', id: 'whole', onclick: () => setWindow(null, null)}, 'whole launch');
  const said = element('span', {id: 'window', role: 'status'});
  const controls = element('section', {class: 'sticky controls', 'aria-label': 'what is shown'},
                           element('label', {for: 'launch'}, 'show'), picker, reset, said);

  // -- over time --
  const outside = () => color('--outside');
  const bars = [];
  for (let i = 0; i < timeline.count; ++i) {
    let y = 0;
    const whole = timeline.keys.reduce((n, key) => n + data.time.slots[key][i], 0) + data.time.outside[i];
    const add = (count, key) => {
      if (count > 0) bars.push({b: timeline.begins[i], e: timeline.ends[i], y, z: y + count / whole, key, share: count / whole});
      y += count / whole;
    };
    for (const key of timeline.keys) add(data.time.slots[key][i], key);
    add(data.time.outside[i], 'outside');
  }
  const fillOf = key => key === 'outside' ? outside() : causes[key].colour;
  const textOf = key => key === 'outside' ? 'outside of launches' : causes[key].text;
  const stack = (fills, height) => ({
    type: 'rect', from: {data: 'bars'},
    encode: {update: {
      x: {scale: 'x', field: 'b'}, x2: {scale: 'x', field: 'e', offset: 0.4}, y: {signal: `${height} * (1 - datum.z)`}, y2: {signal: `${height} * (1 - datum.y)`},
      fill: {signal: fills},
      tooltip: {signal: "datum.text + ': ' + format(datum.share, '.1%') + ', core cycles ' + format(datum.b, ',') + ' to ' + format(datum.e, ',')"}}}});
  const barData = () => ({name: 'bars', values: bars.map(bar => ({...bar, text: textOf(bar.key), fill: fillOf(bar.key)}))});
  const overviewHeight = 70;
  const overviewPlace = element('div');
  const overview = chart(width => ({
    width, height: overviewHeight + 40, data: [barData()], scales: [cycleScale(width, [0, timeline.last])],
    marks: [{type: 'group', encode: {update: {x: {value: margin.left}, y: {value: 4}, width: {value: width - margin.left - margin.right}, height: {value: overviewHeight}}},
             axes: [cycleAxis], marks: [stack('datum.fill', overviewHeight)]}]}),
    'issue slots of the whole run by cause over core cycles; the brush below chooses a window', overviewPlace);
  const brush = makeBrush(overview, timeline, overviewHeight, win, setWindow);

  const detailPlace = element('div', {id: 'panels'});
  const stackHeight = 130;
  const detail = chart(width => {
    const shown = win(), inner = width - margin.left - margin.right, marks = [];
    let y = 22;
    const panel = (title, height, top, content, last) => {
      marks.push({
        type: 'group', title: {text: title, frame: 'group'},
        encode: {update: {x: {value: margin.left}, y: {value: y}, width: {value: inner}, height: {value: height}}},
        scales: [{name: 'y', type: 'linear', domain: [0, top], range: [height, 0], nice: false}],
        axes: [{orient: 'left', scale: 'y', tickCount: 3, format: '~s'}, last ? cycleAxis : {...cycleAxis, title: '', labels: false, ticks: false}],
        marks: [{type: 'group', encode: {update: {width: {value: inner}, height: {value: height}, clip: {value: true}}}, marks: content}]});
      y += height + 30;
    };
    panel('share of the issue slots', stackHeight, 1, [stack('datum.fill', stackHeight)], false);
    const sources = [barData()];
    panels.forEach((p, number) => {
      const lines = p.lines || [{name: p.title, values: p.values, fill: p.fill}];
      const values = [];
      lines.forEach(line => line.values.forEach((v, i) => {
        if (v !== null) values.push({b: timeline.begins[i], e: timeline.ends[i], v, name: line.name, fill: line.fill});
      }));
      const name = 'panel_' + p.id;
      sources.push({name, values});
      const within = values.filter(v => v.e > shown.from && v.b < shown.to);
      const top = p.top || Math.max(1e-9, ...within.map(v => v.v)) * 1.05;
      const tooltip = {signal: "datum.name + ': ' + format(datum.v, '.3~g') + ', core cycles ' + format(datum.b, ',') + ' to ' + format(datum.e, ',')"};
      const mark = p.lines
        ? {type: 'rect', encode: {update: {x: {scale: 'x', field: 'b'}, x2: {scale: 'x', field: 'e'}, yc: {scale: 'y', field: 'v'}, height: {value: 2.5},
                                           fill: {field: 'fill'}, tooltip}}}
        : {type: 'rect', encode: {update: {x: {scale: 'x', field: 'b'}, x2: {scale: 'x', field: 'e', offset: 0.4}, y: {scale: 'y', field: 'v'}, y2: {scale: 'y', value: 0},
                                           fill: {field: 'fill'}, tooltip}}};
      panel(p.title, p.height, top, [{...mark, from: {data: name}}], number === panels.length - 1);
    });
    return {width, height: y + 16, data: sources, scales: [cycleScale(width, [shown.from, shown.to])], marks};
  }, 'issue slots, instructions per cycle, DRAM bandwidth, resident warps, hit rates and queues over the window', detailPlace);

  const legend = element('div', {class: 'legend'}, ...timeline.keys.map(key => element('span', {}, swatch(causes[key].colour), causes[key].text)),
                         element('span', {}, element('span', {class: 'swatch', style: 'background:var(--outside)'}), 'outside of launches: start-up and gaps'));
  const lineLegends = panels.filter(p => p.lines).map(p =>
    element('div', {class: 'legend'}, element('b', {}, p.title), ...p.lines.map(line => element('span', {}, swatch(line.fill), line.name))));

  // -- heat map --
  const heatPicker = element('select', {id: 'heat', onchange: () => state.set({heat: heatPicker.value})},
                             ...heats.map(heat => element('option', {value: heat.id}, heat.title)));
  const heatPlace = element('div', {id: 'heatmap'});
  const heatOf = () => heats.find(heat => heat.id === state.get('heat', '')) || heats[0];
  const heat = heats.length === 0 ? null : chart(width => {
    const {rows} = heatOf(), shown = win(), values = [], inner = width - margin.left - margin.right;
    const step = rows.length > 40 ? 6 : 11;
    rows.forEach((row, r) => {
      for (let i = shown.first; i < shown.last; ++i) values.push({b: timeline.begins[i], e: timeline.ends[i], r, name: row.name, v: row.value(i)});
    });
    const most = values.reduce((top, v) => Math.max(top, v.v), 1e-9), height = rows.length * step;
    const every = Math.max(1, Math.ceil(11 / step));
    return {
      width, height: height + 80, data: [{name: 'cells', values}],
      scales: [cycleScale(width, [shown.from, shown.to]), {name: 'fill', type: 'linear', domain: [0, most], range: {scheme: 'viridis'}}],
      legends: [{fill: 'fill', orient: 'none', legendX: margin.left, legendY: 0, direction: 'horizontal', gradientLength: Math.min(200, inner), gradientThickness: 8}],
      marks: [
        {type: 'group', encode: {update: {x: {value: margin.left}, y: {value: 36}, width: {value: inner}, height: {value: height}}}, axes: [cycleAxis],
         marks: [{type: 'group', encode: {update: {width: {value: inner}, height: {value: height}, clip: {value: true}}}, marks: [
           {type: 'rect', from: {data: 'cells'}, encode: {update: {
             x: {scale: 'x', field: 'b'}, x2: {scale: 'x', field: 'e', offset: 0.4}, y: {signal: `datum.r * ${step}`}, height: {value: step + 0.4},
             fill: {scale: 'fill', field: 'v'},
             tooltip: {signal: "datum.name + ': ' + format(datum.v, '.3~g') + ', core cycles ' + format(datum.b, ',') + ' to ' + format(datum.e, ',')"}}}}]}]},
        ...rows.map((row, r) => ({type: 'text', encode: {update: {
          x: {value: margin.left - 4}, y: {value: 36 + step * (r + 0.5)}, align: {value: 'right'}, baseline: {value: 'middle'}, fontSize: {value: 9},
          text: {value: r % every === 0 ? row.name.replace('partition_', 'p').replace('tpc_', 't').replace('.sm_', '.s').replace('.bank_', '.b') : ''}}}}))]};
  }, 'heat map of parts of the chip over the window', heatPlace);

  // -- the figures of the window --
  const slotPlace = element('div', {id: 'slots'}), figurePlace = element('div', {id: 'figures'});
  const commandPlace = element('div', {class: 'commands', id: 'commands'});
  let slotRows = [];
  const slotTable = sortable({
    memory: 'sort.slots', order: '2.down', label: 'issue slots by cause', rows: () => slotRows,
    columns: [
      {title: 'cause', left: true, value: row => textOf(row.key), cell: row => row.key === 'outside' ? element('span', {}, element('span', {class: 'swatch', style: 'background:var(--outside)'}), textOf(row.key)) : causeName(row.key)},
      {title: '', left: true, cell: row => bar(row.count, row.whole, row.key === 'outside' ? 'var(--outside)' : causes[row.key].colour)},
      {title: 'issue slots', value: row => row.count, cell: row => grouped(row.count)},
      {title: 'share', value: row => row.count, cell: row => percent(row.count, row.whole)}]});
  slotPlace.append(slotTable.view);

  function figuresOf(shown, what) {
    const {time} = data, rows = [];
    const over = values => sum(values, shown.first, shown.last);
    // Averages are over the cycles within launches, as in the overview.
    let busy = 0;
    for (let i = shown.first; i < shown.last; ++i) busy += timeline.busy(i);
    const cycles = shown.brushed ? busy : what.cycles, issued = shown.brushed ? over(time.slots.issued) : what.slots.issued;
    const seconds = busy * chip.core_period * 1e-15;
    rows.push(['core cycles within launches', grouped(cycles)], ['IPC per SM', (issued / (cycles * chip.sms) || 0).toFixed(3)],
              ['resident warps per SM', (over(time.resident) / (busy * chip.sms) || 0).toFixed(1)],
              ['DRAM', busy === 0 ? '' : `${digits((over(time.read) + over(time.written)) / seconds * 1e-9)} GB/s, ${grouped(over(time.read))} B read, ${grouped(over(time.written))} B written`]);
    const hits = panels.find(p => p.id === 'hits');
    for (const line of hits ? hits.lines : []) {
      const whole = over(line.whole);
      if (whole > 0) rows.push([`hits of ${line.name}`, `${percent(over(line.part), whole)} of ${grouped(whole)}`]);
    }
    return rows;
  }
  // -- source and machine code --
  const merged = {code: [], lines: []};
  function mergeCode() {
    const what = chosen(), code = new Map(), lines = new Map();
    for (const part of what.kernels) {
      const kernel = part.kernel || part.name;
      for (const [index, lanes, slots] of part.use || []) {
        const [pc, text, line, live] = data.code[kernel][index];
        const key = kernel + ':' + index;
        const row = code.get(key) || {kernel, pc, text, line, live, lanes: 0, slots: {}, total: 0, issued: 0};
        code.set(key, row);
        row.lanes += lanes;
        const at = lines.get(line) || {line, text: data.lines[line] || '', slots: {}, total: 0, issued: 0};
        if (line) lines.set(line, at);
        for (const [key, count] of Object.entries(slots))
          for (const target of [row, at]) {
            target.slots[key] = (target.slots[key] || 0) + count;
            target.total += count;
            if (key === 'issued') target.issued += count;
          }
      }
    }
    merged.code = [...code.values()];
    merged.lines = [...lines.values()];
    merged.most = Math.max(1, ...merged.code.map(row => row.total));
    merged.mostOfLine = Math.max(1, ...merged.lines.map(row => row.total));
    merged.whole = Object.values(what.slots).reduce((n, count) => n + count, 0);
    merged.missing = what.kernels.some(part => part.use === undefined);
  }
  const mostly = row => Object.entries(row.slots).reduce((best, entry) => entry[1] > best[1] ? entry : best, ['issued', -1]);
  const gutter = (row, most) => element('span', {class: 'gutter', 'aria-hidden': 'true'},
    element('span', {style: `width:${(100 * row.total / most).toFixed(1)}%;background:${causes[mostly(row)[0]].colour}`}));
  const mostlyCell = row => { const [key, count] = mostly(row); return `${Math.round(100 * count / row.total)} % ${causes[key].text}`; };
  const filterInput = element('input', {type: 'search', id: 'filter', placeholder: 'filter: text, address or line', 'aria-label': 'filter of source and machine code',
                                        oninput: () => state.set({filter: filterInput.value})});
  const matches = (...texts) => {
    const wanted = state.get('filter', '').toLowerCase();
    return texts.some(text => String(text).toLowerCase().includes(wanted));
  };
  const toggle = (name, value) => state.set({[name]: state.get(name, '') === String(value) ? null : value, [name === 'line' ? 'pc' : 'line']: null});
  const lineTable = sortable({
    memory: 'sort.lines', order: '0.up', label: 'source lines', className: 'listing', rows: () => merged.lines,
    filter: row => matches(row.text, row.line, mostlyCell(row)), onrow: row => toggle('line', row.line),
    describe: row => state.get('line', '') === String(row.line) ? 'chosen' : isChosenCode() && chosenCode().line === row.line ? 'related' : '',
    columns: [
      {title: 'line', value: row => row.line, cell: row => String(row.line)},
      {title: 'heat', left: true, value: row => -row.total, cell: row => gutter(row, merged.mostOfLine)},
      {title: 'source', left: true, cell: row => element('code', {}, row.text)},
      {title: 'share', value: row => row.total, cell: row => percent(row.total, merged.whole)},
      {title: 'mostly', left: true, value: mostlyCell, cell: mostlyCell},
      {title: 'issued', value: row => row.issued, cell: row => grouped(row.issued)}]});
  const address = row => `${row.kernel}@${row.pc}`;
  const isChosenCode = () => state.get('pc', '') !== '';
  const chosenCode = () => merged.code.find(row => address(row) === state.get('pc', '')) || {};
  const codeTable = sortable({
    memory: 'sort.code', order: '0.up', label: 'machine code', className: 'listing', rows: () => merged.code,
    filter: row => matches(row.text, hex(row.pc), row.line, mostlyCell(row)), onrow: row => toggle('pc', address(row)),
    describe: row => state.get('pc', '') === address(row) ? 'chosen' : state.get('line', '') === String(row.line) ? 'related' : '',
    columns: [
      {title: 'pc', value: row => row.pc, cell: row => element('code', {title: row.kernel}, hex(row.pc))},
      {title: 'heat', left: true, value: row => -row.total, cell: row => gutter(row, merged.most)},
      {title: 'instruction', left: true, cell: row => element('code', {}, row.text)},
      {title: 'share', value: row => row.total, cell: row => percent(row.total, merged.whole)},
      {title: 'mostly', left: true, value: mostlyCell, cell: mostlyCell},
      {title: 'issued', value: row => row.issued, cell: row => grouped(row.issued)},
      {title: 'lanes', value: row => row.lanes / row.issued || 0, cell: row => row.issued ? (row.lanes / row.issued).toFixed(1) : ''},
      {title: 'live', value: row => row.live, cell: row => row.live ? String(row.live) : ''},
      {title: 'line', value: row => row.line, cell: row => row.line ? String(row.line) : ''}]});
  const codeNote = element('p', {class: 'note'});
  const detailOfCode = element('div', {id: 'detail', role: 'status'});
  function showDetail() {
    const line = merged.lines.find(row => String(row.line) === state.get('line', ''));
    const row = isChosenCode() ? chosenCode() : line;
    detailOfCode.replaceChildren();
    if (!row || !row.slots) return;
    const parts = Object.entries(row.slots).sort((a, b) => b[1] - a[1]);
    detailOfCode.append(element('p', {}, element('code', {}, row === line ? `line ${row.line}: ${row.text.trim()}` : `${hex(row.pc)} ${row.text}`),
      `: ${grouped(row.total)} issue slots: ` + parts.map(([key, count]) => `${causes[key].text} ${percent(count, row.total)}`).join(', ')));
  }

  // -- commands --
  const quoted = word => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
  function commands(shown) {
    const again = data.command.map(quoted).join(' '), span = `${shown.from}:${shown.to}`;
    const traceable = data.command[1] === 'run';
    const rows = traceable ? [
      ['waveforms of this window', `${again} --waves window.fst --wave-window ${span}`],
      ['the log of this window', `${again} --trace --wave-window ${span}`]] : [];
    const pcs = isChosenCode() ? [chosenCode().pc] : merged.code.filter(row => String(row.line) === state.get('line', '')).map(row => row.pc);
    const find = `${quoted(data.command[0] || 'gt200')} trace find ${quoted(data.folder)}`;
    if (pcs.length === 0) rows.push(['what happens in it, from the log of a run with --trace', `${find} --cycles ${span}`]);
    for (const pc of pcs.slice(0, 8)) rows.push([`instructions at ${hex(pc)}, from the log`, `${find} --pc ${hex(pc)} --cycles ${span}`]);
    commandPlace.replaceChildren(...rows.map(([title, text]) => element('div', {}, title, element('code', {}, text))));
  }

  // -- roofline --
  // Floating-point operations are known by launch. Intervals have their warp instructions, and a roof of issue slots.
  const rooflinePlace = element('div', {id: 'roofline'});
  const flops = (name, parts, go) => {
    const total = key => parts.reduce((n, part) => n + part[key], 0);
    return {name, go, now: parts.some(part => chosen().launches.includes(part)), work: total('flops'), dram: total('dram'), seconds: total('seconds')};
  };
  const numbered = data.launches.map((launch, i) => ({launch, i}));
  const roofChoices = {
    launches: () => numbered.map(({launch, i}) => flops(`launch ${i + 1}, ${launch.kernel}`, [launch], {launch: 'l:' + i, from: null, to: null})),
    kernels: () => data.kernels.map(({name}) => flops(name, data.launches.filter(launch => launch.kernel === name), {launch: 'k:' + name, from: null, to: null})),
    intervals: () => timeline.ends.map((end, i) => ({
      name: `core cycles ${grouped(timeline.begins[i])} to ${grouped(end)}`, go: {from: timeline.begins[i], to: end},
      now: i >= win().first && i < win().last, work: (data.time.slots.issued || [])[i] || 0,
      dram: data.time.read[i] + data.time.written[i], seconds: timeline.length(i) * chip.core_period * 1e-15})),
  };
  const drawable = name => roofChoices[name]().filter(point => point.work > 0 && point.dram > 0)
    .map(point => ({...point, intensity: point.work / point.dram, rate: point.work / point.seconds * 1e-9}));
  const roofNames = Object.keys(roofChoices).filter(name => drawable(name).length > 0);
  const roofName = () => roofNames.includes(state.get('roof', '')) ? state.get('roof', '') : roofNames[0];
  const roofPicker = element('select', {id: 'roof', onchange: () => state.set({roof: roofPicker.value})}, ...roofNames.map(name => element('option', {value: name}, name)));
  const roofline = roofNames.length === 0 ? null : chart(width => {
    const points = rooflinePlace.points = drawable(roofName());
    const instructions = roofName() === 'intervals', {dram, single, double} = chip.peaks;
    const roofs = instructions ? [{name: 'issue slots', peak: chip.sms * chip.slots_per_cycle / chip.core_period * 1e6}]
                               : [{name: 'single precision', peak: single}, {name: 'double precision', peak: double}].filter(r => r.peak > 0);
    const [what, unit] = instructions ? ['warp instructions', 'G warp instructions/s'] : ['operations', 'GFLOP/s'];
    const inner = width - margin.left - margin.right, height = 260, most = roofs[0].peak;
    const low = Math.min(...points.map(p => p.intensity), most / dram) / 4, high = Math.max(...points.map(p => p.intensity), most / dram) * 4;
    const bottom = Math.min(...points.map(p => p.rate), low * dram) / 2;
    const roof = peak => [{x: low, y: Math.min(low * dram, peak)}, {x: peak / dram, y: peak}, {x: high, y: peak}].filter((p, i) => i !== 1 || p.x > low);
    return {
      width, height: height + 60,
      data: [{name: 'points', values: points}, ...roofs.map((r, i) => ({name: 'roof_' + i, values: roof(r.peak)}))],
      scales: [{name: 'x', type: 'log', domain: [low, high], range: [0, inner]}, {name: 'y', type: 'log', domain: [bottom, most * 2], range: [height, 0]}],
      marks: [{type: 'group', encode: {update: {x: {value: margin.left}, y: {value: 10}, width: {value: inner}, height: {value: height}}},
        axes: [{orient: 'bottom', scale: 'x', title: `${what} per byte of DRAM`, format: '~g', tickCount: 6, grid: true}, {orient: 'left', scale: 'y', title: unit, format: '~g', tickCount: 5, grid: true}],
        marks: [
          ...roofs.flatMap((r, i) => [
            {type: 'line', from: {data: 'roof_' + i}, encode: {update: {x: {scale: 'x', field: 'x'}, y: {scale: 'y', field: 'y'}, stroke: {value: color('--soft')}, strokeWidth: {value: 1.5}}}},
            {type: 'text', encode: {update: {x: {value: inner - 4}, y: {scale: 'y', value: r.peak, offset: -5}, align: {value: 'right'}, text: {value: `${r.name}, ${digits(r.peak)} ${unit}`}, fontSize: {value: 11}}}}]),
          {type: 'symbol', name: 'dots', from: {data: 'points'}, encode: {update: {
            x: {scale: 'x', field: 'intensity'}, y: {scale: 'y', field: 'rate'}, size: {value: 70}, cursor: {value: 'pointer'},
            fill: {signal: `datum.now ? '#e8590c' : '#868e96'`}, opacity: {signal: 'datum.now ? 0.9 : 0.4'},
            tooltip: {signal: `datum.name + ': ' + format(datum.intensity, '.3~g') + ' ${what} per byte, ' + format(datum.rate, '.3~g') + ' ${unit}'`}}}}]}]};
  }, 'roofline: work per second against work per byte of DRAM, by launch, kernel or interval', rooflinePlace);
  if (roofline) roofline.ready = view => (rooflinePlace.view = view).addEventListener('click', (event, item) => {
    if (item && item.datum && item.datum.go) state.set(item.datum.go);
  });

  // -- by SM --
  const smPlace = element('div', {id: 'sms'});
  function showSms() {
    const what = chosen(), whole = data.sms;
    const rows = what.sms || whole;
    smPlace.replaceChildren(
      element('p', {class: 'note'}, what.sms || state.get('launch', 'all') === 'all' ? `Issue slots of ${what.title}.` : 'Issue slots of all launches: single launches have these only in runs of up to 32.'),
      ...rows.map(sm => {
        const total = Object.values(sm.slots).reduce((n, count) => n + count, 0);
        return element('div', {style: 'display:flex;align-items:center;font-size:11px'}, element('span', {style: 'width:9em;flex:none'}, sm.path.replace(/^[^.]*\./, '')),
          element('span', {style: 'display:flex;flex:1;height:11px'}, ...Object.entries(sm.slots).filter(entry => entry[1] > 0).map(([key, count]) =>
            element('span', {style: `width:${(100 * count / total).toFixed(2)}%;background:${causes[key].colour}`, title: `${causes[key].text}: ${percent(count, total)}`}))));
      }));
  }

  place.append(
    controls,
    section('Over time', legend, overviewPlace, element('p', {class: 'note'}, 'Drag over the chart to choose a window, or move the ends of the brush with the arrow keys. Everything to the next heading "Source" follows.'),
            detailPlace, ...lineLegends),
    section('Where the issue slots went', element('p', {id: 'slots_of', class: 'note'}), slotPlace, figurePlace),
    ...(heat ? [section('Parts of the chip over time', element('div', {class: 'controls'}, element('label', {for: 'heat'}, 'show'), heatPicker), heatPlace)] : []),
    section('Source and machine code', codeNote, element('div', {class: 'controls'}, filterInput), detailOfCode,
            element('div', {class: 'columns'}, lineTable.view, codeTable.view)),
    section('Look closer', element('p', {class: 'note'}, 'Commands for the window, and for the chosen line or instruction.'), commandPlace),
    ...(roofline ? [section('Roofline', element('div', {class: 'controls'}, element('label', {for: 'roof'}, 'show'), roofPicker), rooflinePlace)] : []),
    section('By SM', smPlace));

  function follow(names) {
    const touched = (...some) => some.some(name => names.has(name));
    const shown = win(), what = chosen();
    picker.value = state.get('launch', 'all');
    if (picker.selectedIndex < 0) picker.value = 'all';
    if (touched('launch', 'from', 'to')) {
      said.textContent = `core cycles ${grouped(shown.from)} to ${grouped(shown.to)} of ${grouped(timeline.last)}` + (shown.chosen ? ', brushed' : '');
      reset.disabled = !shown.chosen;
      brush.place();
      detail.draw();
      if (heat) heat.draw();
      const slots = shown.brushed ? {...timeline.slots(shown.first, shown.last), outside: sum(data.time.outside, shown.first, shown.last)}
                  : {...what.slots, outside: state.get('launch', 'all') === 'all' ? sum(data.time.outside) : 0};
      const inside = Object.entries(slots).reduce((n, [key, count]) => n + (key === 'outside' ? 0 : count), 0);
      slotRows = Object.entries(slots).filter(entry => entry[1] > 0).map(([key, count]) => ({key, count, whole: inside}));
      document.getElementById('slots_of').textContent = shown.brushed
        ? `Sums of the intervals in core cycles ${grouped(shown.from)} to ${grouped(shown.to)}; shares are of the slots within launches.`
        : `Exact figures of ${what.title}: ${grouped(what.cycles)} core cycles; shares are of the slots within launches.`;
      slotTable.fill();
      figurePlace.replaceChildren(element('h3', {}, 'Figures'), element('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'figures of the window'},
        element('table', {}, element('tbody', {}, ...figuresOf(shown, what).map(([name, value]) =>
          element('tr', {}, element('td', {class: 'left'}, name), element('td', {class: 'left'}, value)))))));
    } else if (touched('sort.slots')) {
      slotTable.fill();
    }
    if (touched('launch')) {
      mergeCode();
      codeNote.textContent = `Issue slots of ${what.title}, by source line and by instruction. The window does not limit them: a run counts instructions per launch. Choose a row to see its causes.` +
        (merged.missing ? ' Some launches are listed with their kernel only.' : '');
      showSms();
    }
    if (roofline && touched('launch', 'from', 'to', 'roof')) {
      roofPicker.value = roofName();
      roofline.draw();
    }
    if (touched('launch', 'filter', 'line', 'pc', 'sort.lines', 'sort.code')) {
      filterInput.value = state.get('filter', '');
      lineTable.view.hidden = merged.lines.length === 0;
      lineTable.view.parentElement.className = merged.lines.length === 0 ? '' : 'columns';
      lineTable.fill();
      codeTable.fill();
      showDetail();
    }
    if (touched('heat') && heat) heat.draw();
    if (heats.length) heatPicker.value = heatOf().id;
    commands(shown);
  }
  state.listeners.push(follow);
  follow(new Set(['launch', 'from', 'to', 'filter', 'heat']));
}

// A brush over a chart of the whole run: drawn with the pointer, or moved with the keys by its ends.
function makeBrush(overview, timeline, height, win, setWindow) {
  const surface = element('div', {class: 'surface'});
  const body = element('div', {class: 'brush'});
  const handle = (name, label) => element('div', {class: 'handle', id: name, role: 'slider', tabindex: '0', 'aria-label': label, 'aria-valuemin': '0', 'aria-valuemax': String(timeline.last)});
  const begin = handle('brush_begin', 'begin of the window, core cycle'), end = handle('brush_end', 'end of the window, core cycle');
  const holder = element('div', {class: 'chart'});
  overview.holder.before(holder);
  holder.append(overview.holder, surface, body, begin, end);
  const inner = () => Math.max(1, holder.clientWidth - margin.left - margin.right);
  const left = cycle => margin.left + cycle / timeline.last * inner();
  const cycleAt = event => {
    const x = event.clientX - holder.getBoundingClientRect().left - margin.left;
    return Math.max(0, Math.min(timeline.last, x / inner() * timeline.last));
  };
  function place() {
    const shown = win();
    for (const part of [surface, body, begin, end]) { part.style.top = '4px'; part.style.height = height + 'px'; }
    surface.style.left = margin.left + 'px';
    surface.style.width = inner() + 'px';
    body.style.left = left(shown.from) + 'px';
    body.style.width = Math.max(2, left(shown.to) - left(shown.from)) + 'px';
    begin.style.left = left(shown.from) + 'px';
    end.style.left = left(shown.to) + 'px';
    begin.setAttribute('aria-valuenow', shown.from);
    end.setAttribute('aria-valuenow', shown.to);
  }
  const drag = (part, start) => part.addEventListener('pointerdown', event => {
    event.preventDefault();
    part.setPointerCapture(event.pointerId);
    const move = start(cycleAt(event), win());
    const onmove = moved => move(cycleAt(moved));
    part.addEventListener('pointermove', onmove);
    part.addEventListener('pointerup', () => part.removeEventListener('pointermove', onmove), {once: true});
  });
  const between = (a, b) => {
    const [first, last] = timeline.range(Math.min(a, b), Math.max(a, b));
    setWindow(timeline.begins[first], timeline.ends[last - 1]);
  };
  drag(surface, at => now => between(at, now));
  drag(body, (at, shown) => {
    // A drag from inside a brush that covers all begins a new one.
    if (shown.to - shown.from >= 0.98 * timeline.last || !shown.chosen) return now => between(at, now);
    const size = shown.to - shown.from;
    return now => {
      const from = Math.max(0, Math.min(timeline.last - size, shown.from + now - at));
      const [first] = timeline.range(from, from + 1);
      const [last] = timeline.range(timeline.begins[first] + size - 1, timeline.begins[first] + size);
      setWindow(timeline.begins[first], timeline.ends[last]);
    };
  });
  drag(begin, (at, shown) => now => between(Math.min(now, shown.to - 1), shown.to));
  drag(end, (at, shown) => now => between(shown.from, Math.max(now, shown.from + 1)));
  const keys = (part, isEnd) => part.addEventListener('keydown', event => {
    const shown = win(), step = event.shiftKey ? 10 : 1;
    let first = shown.first, last = shown.last;
    const by = {ArrowLeft: -step, ArrowDown: -step, ArrowRight: step, ArrowUp: step, PageDown: -10, PageUp: 10, Home: -timeline.count, End: timeline.count}[event.key];
    if (event.key === 'Escape') { setWindow(null, null); return; }
    if (by === undefined) return;
    event.preventDefault();
    if (isEnd) last = Math.max(first + 1, Math.min(timeline.count, last + by));
    else first = Math.min(last - 1, Math.max(0, first + by));
    setWindow(timeline.begins[first], timeline.ends[last - 1]);
  });
  keys(begin, false);
  keys(end, true);
  new ResizeObserver(place).observe(holder);
  return {place};
}
