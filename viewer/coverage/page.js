// The data from exports/coverage_html.cc: `files` with lines as [number, count, partly, branches taken, branches,
// tests…]; `types` and `assemblies` with totals [lines, covered lines, branches, taken branches]; sources as texts or
// null.
const data = JSON.parse(document.getElementById('data').textContent);
const at = id => document.getElementById(id);
const number = value => value.toLocaleString('en-US');
const percent = (part, whole) => whole === 0 ? '' : (part === whole ? '100' : Math.min(99.9, 100 * part / whole).toFixed(1)) + ' %';
const fileName = path => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

function make(tag, name, text) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
}

function bar(part, whole) {
  const element = make('span', whole === 0 ? 'bar none' : 'bar');
  const inner = make('i');
  inner.style.width = whole === 0 ? '0' : `${100 * part / whole}%`;
  element.append(inner);
  return element;
}

function showTotals() {
  at('title').textContent = data.title;
  document.title = `Coverage of ${data.title}`;
  for (const [label, covered, all] of [['Lines', 1, 0], ['Branches', 3, 2], ['Methods', 5, 4]]) {
    const entry = make('div');
    entry.append(make('dt', '', label), bar(data.totals[covered], data.totals[all]),
                 make('dd', '', data.totals[all] === 0 ? 'none' :
                   `${percent(data.totals[covered], data.totals[all])} (${number(data.totals[covered])} of ${number(data.totals[all])})`));
    at('totals').append(entry);
  }
  at('problems').textContent = data.problems.join('\n');
  at('problems').hidden = data.problems.length === 0;
  at('made').textContent = `Oriel ${data.oriel}`;
}

// The common folder of all files.
const commonFolder = data.files.map(file => file.path.slice(0, -fileName(file.path).length)).reduce((common, folder) => {
  if (common === null) return folder;
  let length = 0;
  while (length < common.length && common[length] === folder[length]) length++;
  const start = common.slice(0, length);
  return start.slice(0, Math.max(start.lastIndexOf('/'), start.lastIndexOf('\\')) + 1);
}, null) || '';

// The entries of the table: name, secondary text, totals, and the file and line to open.
function entries() {
  if (at('by').value === 'files') {
    return data.files.map((file, index) => {
      const lines = [0, 0, 0, 0];
      for (const line of file.lines) {
        lines[0]++;
        lines[1] += line[1] > 0;
        lines[2] += line[4];
        lines[3] += line[3];
      }
      return {name: fileName(file.path), beside: file.path.slice(commonFolder.length, -fileName(file.path).length), totals: lines, file: index};
    });
  }
  const group = data[at('by').value];
  return group.map(entry => ({name: entry.name, beside: entry.before, totals: entry.totals, file: entry.file, line: entry.line}));
}

const mostRows = 1000;
let selected = null;

function showRows() {
  const wanted = at('search').value.toLowerCase();
  const found = entries().filter(entry => (entry.beside + entry.name).toLowerCase().includes(wanted) &&
    (!at('uncovered').checked || entry.totals[1] < entry.totals[0] || entry.totals[3] < entry.totals[2]));
  found.sort((a, b) => (b.totals[0] - b.totals[1]) - (a.totals[0] - a.totals[1]) || (b.totals[2] - b.totals[3]) - (a.totals[2] - a.totals[3]) ||
    (a.beside + a.name < b.beside + b.name ? -1 : 1));
  at('what').textContent = {files: 'File', types: 'Type', assemblies: 'Assembly'}[at('by').value];
  at('rows').replaceChildren(...found.slice(0, mostRows).map(row));
  at('more').hidden = found.length !== 0 && found.length <= mostRows;
  at('more').textContent = found.length === 0 ? 'Nothing matches.' : `${number(found.length - mostRows)} more: filter to see them.`;
}

function row(entry) {
  const [lines, covered, ways, gone] = entry.totals;
  const element = make('tr'), first = make('td'), open = make('button');
  open.type = 'button';
  open.append(make('span', 'name', entry.name), make('span', 'soft', entry.beside ? ` ${entry.beside}` : ''));
  first.title = entry.beside + entry.name;
  first.append(open);
  const ofLines = make('td');
  ofLines.append(`${percent(covered, lines)} `, bar(covered, lines));
  if (selected && entry.file === selected.index && at('by').value === 'files') element.setAttribute('aria-selected', 'true');
  element.append(first, make('td', covered < lines ? 'gap' : '', covered < lines ? number(lines - covered) : ''), ofLines,
                 make('td', '', ways === 0 ? '' : `${number(gone)} of ${number(ways)}`));
  element.onclick = () => {
    if (entry.file === undefined) return;
    for (const other of at('rows').children) other.removeAttribute('aria-selected');
    element.setAttribute('aria-selected', 'true');
    showSource(entry.file, entry.line);
  };
  return element;
}

const stateOf = line => line[1] === 0 ? 'miss' : line[2] || line[3] < line[4] ? 'part' : 'hit';

// Scrolls only the code, not the page.
function center(line) {
  const code = at('code');
  code.scrollTop = line.offsetTop - code.offsetTop - code.clientHeight / 2;
}

function showSource(index, from) {
  const file = data.files[index];
  selected = {index, gaps: [], gap: -1};
  at('source').hidden = false;
  at('path').replaceChildren(make('bdi', '', file.path));
  const covered = file.lines.filter(line => line[1] > 0).length;
  at('file-totals').textContent = `${number(covered)} of ${number(file.lines.length)} lines`;
  at('link').hidden = !/^https?:/.test(file.url);
  at('link').href = at('link').hidden ? '' : file.url;
  at('source-note').hidden = !file.note;
  at('source-note').textContent = file.note || '';
  const texts = file.text === null ? [] : file.text.split('\n'), lines = new Map(file.lines.map(line => [line[0], line]));
  const numbers = texts.length > 0 ? texts.map((_, i) => i + 1) : file.lines.map(line => line[0]);
  setWidths(numbers, file.lines, texts);
  const rows = numbers.map(n => sourceRow(n, lines.get(n), texts[n - 1]));
  at('code').replaceChildren(...rows);
  let before = '';
  numbers.forEach((n, i) => {
    const state = lines.has(n) ? stateOf(lines.get(n)) : '';
    if ((state === 'miss' || state === 'part') && state !== before) selected.gaps.push(rows[i]);
    if (state) before = state;
  });
  at('code').scrollTop = 0;
  if (from && numbers.includes(from)) center(rows[numbers.indexOf(from)]);
  else goToGap(1);
}

const countOf = line => data.counts ? number(line[1]) : line[1] > 0 ? '✓' : '✗';
const waysOf = line => line[4] > 0 ? `${line[3]}/${line[4]}` : '';

// Columns by the number of characters; East Asian characters are two columns wide.
function setWidths(numbers, lines, texts) {
  const width = text => text.length + (text.match(/[\u1100-\uffff]/g) || []).length;
  const widest = (items, of) => items.reduce((most, item) => Math.max(most, of(item)), 0);
  const widths = {number: String(numbers.at(-1) || 0).length, count: widest(lines, line => countOf(line).length),
                  ways: widest(lines, line => waysOf(line).length), text: widest(texts, width)};
  for (const [column, letters] of Object.entries(widths)) at('code').style.setProperty(`--${column}`, `${letters}ch`);
}

function sourceRow(n, line, text) {
  const element = make('div', line ? `row ${stateOf(line)}` : 'row');
  element.setAttribute('role', 'row');
  const count = make('span', 'count', line ? countOf(line) : ''), ways = make('span', 'ways', line ? waysOf(line) : '');
  if (line && line[2]) count.title = 'Not all statements of this line ran';
  if (line && line[3] < line[4]) ways.classList.add('open');
  if (line && line[4] > 0) ways.title = `${line[3]} of ${line[4]} branches were taken`;
  element.append(make('span', 'number', String(n)), count, ways, make('code', '', text || ''));
  if (line && line.length > 5) element.title = line.slice(5).map(test => data.tests[test]).join('\n');
  return element;
}

function goToGap(step) {
  if (!selected || selected.gaps.length === 0) return;
  selected.gaps[selected.gap]?.classList.remove('at');
  selected.gap = (selected.gap + step + selected.gaps.length) % selected.gaps.length;
  selected.gaps[selected.gap].classList.add('at');
  center(selected.gaps[selected.gap]);
}

function close() {
  at('source').hidden = true;
  selected = null;
}

for (const id of ['search', 'by', 'uncovered']) at(id).oninput = showRows;
at('previous').onclick = () => goToGap(-1);
at('next').onclick = () => goToGap(1);
at('close').onclick = close;
document.onkeydown = event => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === 'Escape') close();
  if (event.target.matches('input, select')) return;
  if (event.key === 'j') goToGap(1);
  if (event.key === 'k') goToGap(-1);
  if (event.key === '/') {
    event.preventDefault();
    at('search').focus();
  }
};
showTotals();
if (location.hash.startsWith('#file-')) showSource(Number(location.hash.slice(6)) || 0);
showRows();
