// The intervals of a run, and what of them lies in a window.

class Timeline {
  constructor(time, chip) {
    this.time = time;
    this.chip = chip;
    this.ends = time.ends;
    this.begins = [0, ...time.ends.slice(0, -1)];
    this.last = time.ends[time.ends.length - 1];
    this.count = time.ends.length;
    this.keys = Object.keys(time.slots);
  }
  // The intervals [first, last) that touch the cycles [from, to).
  range(from, to) {
    let first = this.ends.findIndex(end => end > from);
    if (first < 0) first = this.count - 1;
    let last = this.begins.findIndex(begin => begin >= to);
    if (last < 0) last = this.count;
    return [first, Math.max(last, first + 1)];
  }
  length(i) { return this.ends[i] - this.begins[i]; }
  // Core cycles of an interval within launches.
  busy(i) { return this.length(i) - this.time.outside[i] / (this.chip.sms * this.chip.slots_per_cycle); }
  slots(from, to) {
    const result = {};
    for (const key of this.keys) result[key] = sum(this.time.slots[key], from, to);
    return result;
  }
  // Paths of series that end in `name`.
  paths(name) { return Object.keys(this.time.series).filter(path => path.endsWith(name)); }
}

// The panels over time: title, unit, and lines or bars of values by interval.
function panelsOf(timeline) {
  const {time, chip} = timeline, count = timeline.count;
  const each = value => Array.from({length: count}, (_, i) => value(i));
  const seconds = i => timeline.length(i) * chip.core_period * 1e-15;
  const panels = [
    {id: 'ipc', title: 'warp instructions per core cycle and SM', height: 64, top: chip.slots_per_cycle, fill: causes.issued.colour,
     values: each(i => (time.slots.issued || [])[i] / (timeline.length(i) * chip.sms) || 0)},
    {id: 'dram', title: `DRAM, GB/s of ${digits(chip.peaks.dram)}`, height: 64, top: chip.peaks.dram, fill: '#1971c2',
     values: each(i => (time.read[i] + time.written[i]) / seconds(i) * 1e-9)},
    {id: 'warps', title: `resident warps per SM, of ${chip.warps}`, height: 64, top: chip.warps, fill: '#868e96',
     values: each(i => time.resident[i] / (timeline.length(i) * chip.sms))},
  ];
  const palette = ['#1971c2', '#e8590c', '#2b8a3e', '#9c36b5', '#b08800', '#0c8599', '#c2255c', '#868e96'];
  const hits = [];
  for (const path of Object.keys(time.series)) {
    const found = path.match(/^(.*\.)(l1_)?hits$/);
    if (!found || path.startsWith(chip.name + '.')) continue;
    const prefix = found[1] + (found[2] || '');
    const part = name => time.series[prefix + name] || [];
    const looked = each(i => (part('hits')[i] || 0) + (part('misses')[i] || 0) + (part('merged')[i] || 0) - (part('merged_stores')[i] || 0));
    hits.push({name: found[1].slice(0, -1), values: each(i => looked[i] > 0 ? part('hits')[i] / looked[i] : null),
               part: part('hits'), whole: looked});
  }
  if (hits.length) panels.push({id: 'hits', title: 'hit rates of caches and TLBs', height: 84, top: 1, lines: hits});
  const queues = {};
  for (const path of timeline.paths('.occupancy')) {
    const name = path.replace(/^[^.]*\./, '').replace(/_\d+(?=\.)/g, '').replace(/\.occupancy$/, '');
    (queues[name] = queues[name] || []).push(path);
  }
  const lines = Object.entries(queues).map(([name, paths]) => ({
    name, values: each(i => paths.reduce((all, path) => all + time.series[path][i], 0) * clockOf(name, chip) /
                            (timeline.length(i) * chip.core_period * paths.length))}));
  if (lines.length) panels.push({id: 'queues', title: 'entries in queues, average of all instances', height: 84, lines});
  for (const panel of panels) if (panel.lines) panel.lines.forEach((line, i) => { line.fill = palette[i % palette.length]; });
  return panels;
}

// The period of the clock in whose cycles a queue counts, in femtoseconds.
function clockOf(path, chip) {
  if (path.includes('.dram.')) return chip.memory_period;
  return path.includes('partition') ? chip.uncore_period : chip.core_period;
}

// What a heat map can show: rows by part of the chip, a value by row and interval.
function heatChoices(timeline) {
  const {time, chip} = timeline, result = [];
  const short = path => path.replace(/^[^.]*\./, '').replace(/\.(issued|resident_warp_cycles|data_cycles|memory_port.*|row_hits)$/, '')
                            .replace('.dram.controller', '').replace(/\.[a-z_.]*queue[a-z_]*(_\d+)?\.occupancy$/, '');
  const add = (id, title, paths, value) => {
    if (paths.length) result.push({id, title, rows: paths.map(path => ({name: short(path), value: i => value(path, i)}))});
  };
  const core = i => timeline.length(i);
  add('issued', 'SMs: warp instructions per core cycle', timeline.paths('.issued').filter(path => /sm_\d+\.issued$/.test(path)),
      (path, i) => time.series[path][i] / core(i));
  add('resident', 'SMs: resident warps', timeline.paths('.resident_warp_cycles'), (path, i) => time.series[path][i] / core(i));
  add('memory_port', 'SMs: entries in the queue of the memory port', timeline.paths('.memory_port.queue.occupancy'),
      (path, i) => time.series[path][i] / core(i));
  const clocks = (path, i) => core(i) * chip.core_period / clockOf(path, chip);
  add('bus', 'partitions: DRAM data bus busy, share', timeline.paths('.data_cycles'), (path, i) => time.series[path][i] / clocks(path + '.dram.', i));
  const banks = [...new Set(Object.keys(time.series).filter(path => /\.bank_\d+\./.test(path)).map(path => path.replace(/\.row_\w+$/, '')))];
  const row = (bank, name, i) => (time.series[bank + name] || [])[i] || 0;
  const order = path => path.match(/\d+/g).map(Number);
  banks.sort((a, b) => { const x = order(a.replace(/^[^.]*\./, '')), y = order(b.replace(/^[^.]*\./, '')); return x[0] - y[0] || x[1] - y[1]; });
  add('banks', 'DRAM banks: transactions per 1,000 core cycles', banks,
      (bank, i) => 1000 * (row(bank, '.row_hits', i) + row(bank, '.row_misses', i)) / core(i));
  add('misses', 'DRAM banks: row misses per 1,000 core cycles', banks, (bank, i) => 1000 * row(bank, '.row_misses', i) / core(i));
  const queues = [...new Set(timeline.paths('.occupancy').filter(path => path.includes('.partition_'))
                                 .map(path => path.replace(/^.*\.partition_\d+\./, '')))];
  for (const queue of queues)
    add('queue.' + queue, `partitions: entries in ${queue.replace('.occupancy', '')}`, timeline.paths('.' + queue),
        (path, i) => time.series[path][i] / clocks(path, i));
  return result;
}
