// Tables that can be sorted and filtered, also those that the program wrote into the page.

// `columns`: {title, left, value(row) to sort by, cell(row): text or element}. `memory`: the name of the order in the address.
function sortable({columns, rows, memory, order, filter, onrow, describe, label, className}) {
  const body = element('tbody');
  const heads = columns.map((column, number) => {
    if (!column.value) return element(column.title ? 'th' : 'td', {class: column.left ? 'left' : ''}, column.title);
    return element('th', {class: column.left ? 'left' : '', scope: 'col'}, element('button', {type: 'button', onclick: () => {
      const [now, way] = current();
      const down = now === number ? way !== 'down' : !column.left;
      state.set({[memory]: `${number}.${down ? 'down' : 'up'}`});
      fill();
    }}, column.title));
  });
  const current = () => {
    const [number, way] = state.get(memory, order || '').split('.');
    return number === '' || !columns[number] ? [-1, ''] : [Number(number), way];
  };
  function fill() {
    const [number, way] = current();
    heads.forEach((head, i) => {
      if (columns[i].value) head.setAttribute('aria-sort', i !== number ? 'none' : way === 'down' ? 'descending' : 'ascending');
    });
    let shown = filter ? rows().filter(filter) : [...rows()];
    if (number >= 0) {
      const value = columns[number].value, sign = way === 'down' ? -1 : 1;
      shown.sort((a, b) => {
        const x = value(a), y = value(b);
        return sign * (typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y), 'en', {numeric: true}));
      });
    }
    body.replaceChildren(...shown.map(row => {
      const line = element('tr', {class: describe ? describe(row) : ''}, ...columns.map(column => {
        const cell = column.cell(row);
        return element('td', {class: (column.left ? 'left ' : '') + (column.wrap ? 'wrap' : '')}, cell === undefined ? '' : cell);
      }));
      if (onrow) {
        line.tabIndex = 0;
        line.addEventListener('click', () => onrow(row));
        line.addEventListener('keydown', event => {
          if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); onrow(row); }
        });
      }
      return line;
    }));
  }
  fill();
  const table = element('table', {class: className || ''}, element('thead', {}, element('tr', {}, ...heads)), body);
  return {view: element('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label}, table), fill, body};
}

// The number of a cell such as "1,234", "-3.5 %", "0x10" or "111,438 +- 9,210"; the text itself without one.
function sortValue(cell) {
  const text = (cell.dataset.value || cell.textContent).trim();
  if (/^0x[0-9a-f]+$/i.test(text)) return parseInt(text, 16);
  const number = parseFloat(text.replace(/,/g, ''));
  return Number.isNaN(number) ? text : number;
}

// Makes the tables with a heading that the program wrote sortable; the long ones can be filtered.
function improveTables() {
  document.querySelectorAll('main table[data-name]').forEach(table => {
    const name = table.dataset.name, all = [...table.tBodies[0].rows];
    const heads = [...table.tHead.rows[0].cells];
    const apply = () => {
      const wanted = state.get('find.' + name, '').toLowerCase();
      const [number, way] = state.get('order.' + name, '').split('.');
      const shown = all.filter(row => row.textContent.toLowerCase().includes(wanted));
      if (number) {
        const sign = way === 'down' ? -1 : 1;
        shown.sort((a, b) => {
          const x = sortValue(a.cells[number]), y = sortValue(b.cells[number]);
          const numbers = typeof x === 'number' && typeof y === 'number';
          return sign * (numbers ? x - y : String(x).localeCompare(String(y), 'en', {numeric: true}));
        });
      }
      heads.forEach((head, i) => {
        if (head.tagName === 'TH') head.setAttribute('aria-sort', String(i) !== number ? 'none' : way === 'down' ? 'descending' : 'ascending');
      });
      table.tBodies[0].replaceChildren(...shown);
    };
    heads.forEach((head, i) => {
      if (head.textContent === '') return;
      const button = element('button', {type: 'button', onclick: () => {
        const now = state.get('order.' + name, '');
        const first = head.classList.contains('left') ? 'up' : 'down', other = first === 'up' ? 'down' : 'up';
        state.set({['order.' + name]: `${i}.${now === `${i}.${first}` ? other : first}`});
      }}, head.textContent);
      head.replaceChildren(button);
      head.scope = 'col';
    });
    if (all.length > 12) {
      const input = element('input', {type: 'search', placeholder: 'filter', 'aria-label': `filter of ${name.replace(/_/g, ' ')}`,
                                      oninput: () => { state.set({['find.' + name]: input.value}); }});
      input.value = state.get('find.' + name, '');
      table.parentElement.before(element('div', {class: 'controls'}, input));
    }
    state.listeners.push(names => { if (names.has('find.' + name) || names.has('order.' + name)) apply(); });
    apply();
  });
}
