// What all pages share: elements, numbers, and the state, which stands in the address.
'use strict';

let data = JSON.parse(document.getElementById('data').textContent);

function element(tag, properties = {}, ...children) {
  const result = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) result.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) result.setAttribute(name, value === true ? '' : value);
  }
  result.append(...children.filter(child => child !== undefined && child !== null));
  return result;
}

const groups = new Intl.NumberFormat('en-US');  // once: making it takes longer than using it
const grouped = number => groups.format(Math.round(number));
const percent = (part, whole) => whole ? (100 * part / whole).toFixed(2) + ' %' : '';
const digits = number => Math.abs(number) >= 100 ? grouped(number) : Number(number.toPrecision(3)).toString();
const hex = address => '0x' + address.toString(16).padStart(4, '0');
const sum = (values, from = 0, to = values ? values.length : 0) => {
  let all = 0;
  for (let i = from; values && i < to; ++i) all += values[i];
  return all;
};
const color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const causes = Object.fromEntries((data.causes || []).map(cause => [cause.key, cause]));

function swatch(fill) {
  return element('span', {class: 'swatch', style: `background:${fill}`, 'aria-hidden': 'true'});
}

// The name of a cause, which opens its definition.
function causeName(key) {
  const cause = causes[key];
  return element('details', {class: 'cause'}, element('summary', {}, swatch(cause.colour), cause.text),
                 element('p', {}, cause.definition));
}

function bar(part, whole, fill) {
  const width = Math.max(0, Math.min(100, whole ? 100 * part / whole : 0));
  return element('span', {class: 'scale', 'aria-hidden': 'true'},
                 element('span', {class: 'bar', style: `width:${width.toFixed(1)}%;background:${fill}`}));
}

const state = {
  values: Object.fromEntries(new URLSearchParams(location.hash.slice(1))),
  listeners: [],
  get(name, fallback) { return name in this.values ? this.values[name] : fallback; },
  // A value of null is left out of the address.
  set(changes) {
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === '') delete this.values[name];
      else this.values[name] = String(value);
    }
    history.replaceState(null, '', '#' + new URLSearchParams(this.values));
    this.tell(Object.keys(changes));
  },
  tell(names) { for (const listener of this.listeners) listener(new Set(names)); },
};
addEventListener('hashchange', () => {
  const before = Object.keys(state.values);
  state.values = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  state.tell([...before, ...Object.keys(state.values)]);
});

function section(title, ...children) {
  const id = 'section_' + title.toLowerCase().replace(/[^a-z]+/g, '_');
  return element('section', {'aria-labelledby': id}, element('h2', {id}, title), ...children);
}
