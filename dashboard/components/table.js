// A table of figures or games: st.components.v2 calls the default export, again on every change.
//
// data: { caption, columns: [{ title, right, hide }], rows: [[cell, …], …] }
// A cell is a text, or { t: text, v: what to sort by, to: [page, address], sub: text below, tone }.
// Text becomes text nodes and nothing else. A link is a real one; a plain click on it stays in this page.

const AT_ONCE = 50;

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const textOf = (cell) => (cell !== null && typeof cell === "object" ? cell.t : cell) ?? "";
const valueOf = (cell) => (cell !== null && typeof cell === "object" && cell.v !== undefined ? cell.v : textOf(cell));

// Compares two cells that are not empty.
function compare(one, other) {
  const [a, b] = [valueOf(one), valueOf(other)];
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}

function addressOf([page, address]) {
  const base = location.pathname.replace(/[^/]*$/, "");
  const asked = new URLSearchParams(address).toString();
  // The first page has no name of its own in an address.
  return `${base}${page === "games" ? "" : page}${asked ? `?${asked}` : ""}`;
}

export default function ({ parentElement, data, setTriggerValue }) {
  let root = parentElement.querySelector(".rows");
  if (!root) {
    root = make("div", { class: "rows" });
    parentElement.append(root);
  }
  const told = JSON.stringify(data);
  root.open = (to) => setTriggerValue("open", to);
  if (root.told === told) return;
  root.told = told;

  const { caption, columns } = data;
  let { rows } = data;
  let sorted = null;
  let shown = AT_ONCE;

  const link = (cell, inner) =>
    make(
      "a",
      {
        href: addressOf(cell.to),
        onclick: (event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
          event.preventDefault();
          root.open(cell.to);
        },
      },
      inner,
    );

  function cellOf(cell, column, place) {
    const rich = cell !== null && typeof cell === "object" ? cell : { t: cell };
    const inner = make("bdi", rich.tone ? { class: `tone is-${rich.tone}` } : {}, String(rich.t ?? ""));
    const classes = [column.right && "is-right", column.hide && `hide-${column.hide}`].filter(Boolean).join(" ");
    return make(
      place === 0 ? "th" : "td",
      { scope: place === 0 ? "row" : null, class: classes || null },
      rich.to ? link(rich, inner) : inner,
      rich.sub ? make("div", { class: "sub" }, make("bdi", {}, rich.sub)) : null,
    );
  }

  const body = make("tbody", {});
  const heads = columns.map((column, place) => {
    const button = make("button", { type: "button", onclick: () => sortBy(place) }, column.title);
    const classes = [column.right && "is-right", column.hide && `hide-${column.hide}`].filter(Boolean).join(" ");
    return make("th", { scope: "col", class: classes || null }, button);
  });
  const more = make("button", {
    type: "button",
    class: "more",
    onclick: () => {
      shown += 4 * AT_ONCE;
      fill();
    },
  });

  function fill() {
    body.replaceChildren(
      ...rows.slice(0, shown).map((row) => {
        const line = make("tr", {}, ...row.map((cell, place) => cellOf(cell, columns[place], place)));
        const first = row[0];
        if (first !== null && typeof first === "object" && first.to) {
          line.classList.add("opens");
          line.addEventListener("click", (event) => {
            if (!event.target.closest("a") && !String(getSelection())) root.open(first.to);
          });
        }
        return line;
      }),
    );
    const left = rows.length - shown;
    more.hidden = left <= 0;
    more.textContent = `Show ${Math.min(left, 4 * AT_ONCE).toLocaleString("en")} more of ${left.toLocaleString("en")}`;
  }

  function sortBy(place) {
    const down = sorted?.[0] === place ? !sorted[1] : typeof valueOf(data.rows[0]?.[place]) === "number";
    sorted = [place, down];
    // What is empty stands last, either way.
    const empty = (row) => valueOf(row[place]) === "";
    rows = [...data.rows].sort((a, b) => {
      if (empty(a) || empty(b)) return empty(a) - empty(b);
      return (down ? -1 : 1) * compare(a[place], b[place]);
    });
    heads.forEach((head, at) => {
      if (at === place) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    fill();
  }

  fill();
  root.replaceChildren(
    make(
      "div",
      { class: "scroll", role: "region", tabindex: "0", "aria-label": caption },
      make(
        "table",
        {},
        make("caption", {}, caption),
        make("thead", {}, make("tr", {}, ...heads)),
        body,
      ),
    ),
    more,
  );
}
