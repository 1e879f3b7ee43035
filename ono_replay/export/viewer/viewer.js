// The replay viewer: one game, every state of it at hand, stepped through in the browser.
//
//   mountViewer(root, payload, hooks)   used by the HTML export and by the dashboard alike
//   openPage(root, payload)             the HTML export: the moment is kept in the address
//   export default                      what st.components.v2 calls, again on every change
//
// The payload comes from ono_replay/export/payload.py, where its keys are told. The viewer knows no rules:
// states, legal cards, sentences and drawings are worked out there. Text from a log becomes text nodes and
// nothing else; no markup is ever parsed here.
//
// hooks, all optional: onMoment({event, seat}) after each step, debounced; link({event, seat}) -> address
// of a moment; branch({seq, seat, card}) to play on from a position; keys: where keys are listened to; unclaimed:
// whether keys are taken that nothing on the page has the focus for; theme: the page's own, which is followed.
//
// Formatted by prettier, 110 columns.

const SPEEDS = [0.5, 1, 2, 4, 8];
const BEAT = 950; // milliseconds an event stays at speed 1
const DANGER_SPAN = 9; // the danger zone: the last nine below the limit and the limit itself (89 … 98)
const LOW = 500; // below this height there is no curve, and the seats stand left and right of the middle
const SHORT = 720; // below this one the curve is lower, for the table
const FLAT = 330; // a table below this height has its seats left and right of the middle, too
const LEAST = LOW; // in the dashboard it is never lower
const ROW = 66; // about the height of a row of buttons there
const PATIENCE = 3000; // milliseconds until the dashboard's page counts as one that keeps no moment
const LINE = 28; // about the height of an event in the list
const MOST_AROUND = 8; // seats that have room around the table
// On the ring seven seats would crowd at the top.
const SEVEN = [
  [0, 1],
  [-0.84, 0.84],
  [-1, -0.06],
  [-0.44, -1],
  [0.44, -1],
  [1, -0.06],
  [0.84, 0.84],
];
const ANNOUNCED = /^= ?-?\d{1,9}$/; // the total announced at a play, as a table recorder notes it
const EVERYONE = "all";
const NOBODY = "none";
const SVG = "http://www.w3.org/2000/svg";

// --- small things --------------------------------------------------------------------------------------

function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function setFlag(element, name, on) {
  if (element.classList.contains(name) !== on) element.classList.toggle(name, on);
}

const figure = (number) => String(number).replace("-", "−");
const plural = (count, one, many = one + "s") => `${count} ${count === 1 ? one : many}`;
const ended = (sentence) => (/[.?!]$/.test(sentence) ? sentence : `${sentence}.`);
const ordinal = (n) => n + (n % 100 > 10 && n % 100 < 14 ? "th" : ["th", "st", "nd", "rd"][n % 10] || "th");

// Control, bidirectional and invisible characters, lone surrogates, and what only looks like an escape:
// the same as ono_replay/check/printable.py.
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\\(?=u\{)/g;

function shown(text) {
  return String(text).replace(UNSAFE, (found) => `\\u{${found.codePointAt(0).toString(16)}}`);
}

function cut(text, most) {
  const signs = [...text.slice(0, most * 2)];
  return signs.length > most || text.length > most * 2 ? signs.slice(0, most - 1).join("") + "…" : text;
}

// The icons of the controls, on a field of 24 × 24.
const ICONS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  back: "M15 5l-8 7 8 7",
  next: "M9 5l8 7-8 7",
  turnBack: "M11 5l-7 7 7 7M19 5l-7 7 7 7",
  turnNext: "M5 5l7 7-7 7M13 5l7 7-7 7",
  play: "M7 4l13 8-13 8z",
  pause: "M8 5v14M16 5v14",
  key: "M6 21V4M6 5h11l-3 4 3 4H6",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  future: "M4 6l7 6-7 6zM13 6l7 6-7 6zM3 3l18 18",
  flip: "M8 20V4M4 8l4-4 4 4M16 4v16M12 16l4 4 4-4",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4.2 4.2 0 0 0-6-6l-1.500 1.500M14 10a4 4 0 0 0-6 0l-3 3a4.200 4.200 0 0 0 6 6l1.500-1.500",
  theme: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
  help: "M9 9a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400M12 18v.1",
  close: "M6 6l12 12M18 6L6 18",
  clockwise: "M5 13a7.500 7.500 0 1 1 3 5.500M19 4v5h-5",
  out: "M6 6l12 12M18 6L6 18",
  fault: "M12 4l9 16H3zM12 10v4M12 17v.1",
  note: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5M12 8v.1",
};

function icon(name) {
  const filled = name === "play" || name === "first" || name === "last" ? "ono-icon is-solid" : "ono-icon";
  return draw(
    "svg",
    { viewBox: "0 0 24 24", class: filled, "aria-hidden": "true" },
    draw("path", { d: ICONS[name] }),
  );
}

// --- the game, made ready --------------------------------------------------------------------------------

// Expands the states of a payload and finds what a reader goes by. Nothing here judges a play.
function readGame(payload) {
  const { events, turns, chains, findings } = payload;
  const labels = labelsOf(payload.game.players);
  const states = [];
  for (const change of payload.states) {
    const before = states.length ? states[states.length - 1] : { pile: [], hands: [] };
    const state = { ...before, ...change };
    if (change.hands) {
      state.hands = before.hands.slice();
      for (const [seat, hand] of Object.entries(change.hands)) state.hands[seat] = hand;
    }
    if (change.laid) state.pile = before.pile.concat(change.laid);
    states.push(state);
  }
  const turnOf = [];
  turns.forEach(([first], turn) => {
    const end = turn + 1 < turns.length ? turns[turn + 1][0] : events.length;
    for (let index = first; index < end; index++) turnOf[index] = turn;
  });
  const found = events.map(() => null);
  for (const finding of findings) {
    if (finding.index !== null) (found[finding.index] ||= []).push(finding);
  }
  const marks = { out: [], pair: [], fault: [], four: [], end: [], round: [] };
  events.forEach((event, index) => {
    if (event.type === "eliminate") marks.out.push(index);
    if (event.type === "play" && (event.card === "play_2" || event.card === "double_play"))
      marks.pair.push(index);
    if (event.irregular || found[index]?.some((finding) => finding.severity !== "note"))
      marks.fault.push(index);
    if (event.type === "discard_four") marks.four.push(index);
    if (event.type === "round_end" || event.type === "game_end") marks.end.push(index);
    if (event.type === "round_start") marks.round.push(index);
  });
  const laid = []; // by index: the seats whose hand lies on the table for all to see
  events.forEach((event, index) => {
    const before = index ? laid[index - 1] : new Set();
    if (event.type === "round_start") laid.push(new Set());
    else laid.push(event.type === "eliminate" && event.hand ? new Set(before).add(event.seat) : before);
  });
  const leavers = []; // by index: the seats that have left the game for good
  events.forEach((event, index) => {
    const before = index ? leavers[index - 1] : new Set();
    const leaves = event.type === "eliminate" && event.reason === "left";
    leavers.push(leaves ? new Set(before).add(event.seat) : before);
  });
  const seated = []; // by index: the seats that were dealt cards in this round; null where that is not told
  events.forEach((event, index) => {
    const before = index ? seated[index - 1] : null;
    if (event.type === "round_start") seated.push(events[index + 1]?.type === "deal" ? new Set() : null);
    else seated.push(event.type === "deal" ? new Set(before).add(event.seat) : before);
  });
  // A round is looked at from the moment when its cards are dealt.
  const dealt = marks.round.map((index) => {
    while (events[index + 1]?.type === "deal") index++;
    return index;
  });
  const key = [...new Set([].concat(marks.out, marks.pair, marks.fault, marks.four, marks.end))];
  key.sort((a, b) => a - b);
  return {
    payload,
    events,
    states,
    turns,
    turnOf,
    chains,
    findings,
    found,
    marks,
    laid,
    leavers,
    seated,
    dealt,
    key,
    says: payload.says,
    labels: labels.full,
    shorts: labels.plain,
    twin: labels.twin,
    rules: payload.rules,
    stops: new Set([].concat(marks.out, marks.fault, marks.end)),
    lives: readLives(events, states),
    last: events.length - 1,
  };
}

// What the players are called: their names as they are, cut where very long, told apart where they are the same.
function labelsOf(players) {
  const plain = players.map(({ name }) =>
    cut(shown(name.trim() ? name : name ? `“${name}”` : "(no name)"), 32),
  );
  const twin = plain.map((label) => plain.indexOf(label) !== plain.lastIndexOf(label));
  return { plain, twin, full: plain.map((label, seat) => (twin[seat] ? `${label} (seat ${seat})` : label)) };
}

// When each card came into a hand and when it left it. Cards of one kind in one hand look alike: the one that
// came first is taken to leave first.
function readLives(events, states) {
  const lives = []; // {token, seat, from, to, told}
  const holds = []; // by index, by seat: the places in `lives` of the cards of the hand
  const left = events.map(() => []); // the lives that end at an event
  let hands = [];
  let held = [];
  states.forEach((state, index) => {
    if (state.hands !== hands) {
      held = held.slice();
      state.hands.forEach((hand, seat) => {
        if (hand !== hands[seat]) held[seat] = pass(hands[seat] || [], hand, held[seat] || [], seat, index);
      });
      hands = state.hands;
    }
    holds.push(held);
  });
  return { lives, holds, left };

  function pass(before, after, ids, seat, index) {
    const waiting = new Map(); // token -> ids, the oldest first
    before.forEach((token, place) => {
      if (!waiting.has(token)) waiting.set(token, []);
      waiting.get(token).push(ids[place]);
    });
    const next = after.map((token) => waiting.get(token)?.shift());
    const gone = [...waiting.values()].flat();
    after.forEach((token, place) => {
      if (next[place] !== undefined) return;
      const unknown =
        events[index].type === "eliminate" ? gone.findIndex((id) => lives[id].token === "?") : -1;
      if (unknown >= 0) {
        const id = gone.splice(unknown, 1)[0];
        Object.assign(lives[id], { token, told: index });
        next[place] = id;
      } else {
        lives.push({ token, seat, from: index, to: null, told: null });
        next[place] = lives.length - 1;
      }
    });
    for (const id of gone) {
      lives[id].to = index;
      left[index].push(id);
    }
    return next;
  }
}

function nextOf(list, index) {
  return list.find((place) => place > index);
}

function previousOf(list, index) {
  for (let place = list.length - 1; place >= 0; place--) if (list[place] < index) return list[place];
  return undefined;
}

// --- the viewer ------------------------------------------------------------------------------------------

const mounted = new WeakMap(); // root -> viewer

// What is there for every state of a game: where one of these has the focus, its successor gets it.
const LASTING =
  ".ono-head :is(button, select), .ono-course, .ono-tab, .ono-panel, .ono-controls :is(button, select)";

// Mounts a game into an element, or, where it is mounted already, takes over the new hooks. A new payload of the
// same game (it is being recorded, or was mended) leaves the reader where the reader was.
export function mountViewer(root, payload, hooks = {}) {
  const old = mounted.get(root);
  if (old && old.key === payload.key && old.element.isConnected) {
    old.take(hooks);
    return old;
  }
  const kept = old && old.game.payload.game.game_id === payload.game.game_id ? old.keep() : null;
  const active = root.getRootNode().activeElement;
  const focused = old?.element.contains(active);
  const place = focused ? [...old.element.querySelectorAll(LASTING)].indexOf(active) : -1;
  old?.destroy();
  const viewer = buildViewer(root, payload, hooks, kept);
  if (focused)
    (viewer.element.querySelectorAll(LASTING)[place] ?? viewer.element).focus({ preventScroll: true });
  mounted.set(root, viewer);
  return viewer;
}

function buildViewer(root, payload, hooks, kept) {
  const game = readGame(payload);
  const options = payload.options;
  const seats = game.labels.length;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const own = payload.game.viewer ?? null;
  const ui = {
    index: game.dealt[0] ?? 0,
    eyes: EVERYONE, // whose cards are seen: "all", "none", or a seat
    bottom: own ?? 0, // the seat nearest to the reader
    hideFuture: false,
    playing: false,
    speed: 1,
    pauses: true,
    theme: options.theme || "auto",
    trail: [], // moments jumped away from
    news: 0, // events that came since the reader left the newest one
    touched: false, // the reader has found out how to move
  };
  const element = make("div", {
    class: "ono",
    tabindex: "0",
    role: "group",
    "aria-label": "Replay of a game of ONO 99",
  });
  let timer = 0;
  let told = 0;
  let steppedAt = 0;
  let painted = null; // the event that is on the screen

  // What the parts below work with.
  const view = {
    game,
    ui,
    element,
    seats,
    calm,
    hooks: () => hooks,
    sees: (seat, index = ui.index) => ui.eyes === EVERYONE || ui.eyes === seat || game.laid[index].has(seat),
    face: faceMaker(payload.cards),
    card: (token) => payload.cards[token] || payload.cards["?"],
    go,
    jump,
    step,
    setEyes,
    play,
    pause,
    copy,
    openLife,
    openChoice,
  };
  const named = (seat, labels) => make("bdi", { class: "ono-name" }, labels[seat] ?? `seat ${seat}`);
  view.name = (seat) => named(seat, game.labels);
  view.short = (seat) => named(seat, game.shorts); // where the seat's number stands beside it
  view.sentence = (index) =>
    sentenceOf(view, index).map((part) => (typeof part === "number" ? view.name(part) : shown(part)));
  view.plain = (index) =>
    sentenceOf(view, index)
      .map((part) => (typeof part === "number" ? (game.labels[part] ?? `seat ${part}`) : shown(part)))
      .join("");

  const keys = {
    ArrowRight: (shift) => (shift ? jump(turnStart(true)) : step(1)),
    ArrowLeft: (shift) => (shift ? jump(turnStart(false)) : step(-1)),
    ArrowDown: () => jump(turnStart(true)),
    ArrowUp: () => jump(turnStart(false)),
    Home: () => jump(0),
    End: () => jump(game.last),
    PageDown: () => jumpIn(game.dealt, true, "round"),
    PageUp: () => jumpIn(game.dealt, false, "round"),
    "]": () => jumpIn(game.dealt, true, "round"),
    "[": () => jumpIn(game.dealt, false, "round"),
    k: (back) => jumpIn(game.key, !back, "key event"),
    e: (back) => jumpIn(game.marks.out, !back, "elimination"),
    p: (back) => jumpIn(game.marks.pair, !back, "pair card"),
    x: (back) => jumpIn(game.marks.fault, !back, "fault"),
    b: jumpBack,
    Backspace: jumpBack,
    " ": () => (ui.playing ? pause() : play()),
    "+": () => changeSpeed(1),
    "=": () => changeSpeed(1),
    "-": () => changeSpeed(-1),
    s: (back) => turnEyes(back ? -1 : 1),
    a: () => setEyes(EVERYONE),
    h: () => setEyes(ui.eyes === NOBODY ? EVERYONE : NOBODY),
    u: toggleFuture,
    f: flip,
    c: copyLink,
    d: () => hooks.theme || toggleTheme(),
    "?": () => help.toggle(),
    Escape: () => (help.element.open ? help.toggle() : sheet.close()),
  };

  const live = make("div", { class: "ono-live", "aria-live": "polite", role: "status" });
  const toast = make("div", { class: "ono-toast", role: "status" });
  const sheet = sheetPart(view);
  const help = helpPart(Boolean(hooks.theme));
  const acts = { toggleFuture, flip, copyLink, toggleTheme, openHelp: () => help.open() };
  const head = headPart(view, hooks.theme ? { ...acts, toggleTheme: null } : acts);
  const table = tablePart(view);
  const now = nowPart(view);
  const course = coursePart(view);
  const side = sidePart(view);
  const controls = controlsPart(view);
  const parts = [head, table, now, course, side, controls];
  element.append(
    head.element,
    make(
      "div",
      { class: "ono-main" },
      make("div", { class: "ono-stage" }, table.element, now.element),
      side.element,
    ),
    make("div", { class: "ono-foot" }, course.element, controls.element),
    sheet.element,
    help.element,
    live,
    toast,
  );
  root.append(element);
  const resizing = new ResizeObserver(() => {
    setFlag(element, "is-low", element.clientHeight < LOW);
    setFlag(element, "is-short", element.clientHeight < SHORT);
    parts.forEach((part) => part.fit?.());
  });
  resizing.observe(element);
  const listening = () => hooks.keys || element;
  let keysOn = listening();
  keysOn.addEventListener("keydown", onKey);
  document.addEventListener("keydown", onUnclaimed, true);
  dark.addEventListener("change", applyTheme);
  element.addEventListener("mousedown", keepFocus);
  // Who comes by Tab sees where the focus is; who clicked, or just pressed a key, needs no frame around it all.
  element.addEventListener("keyup", (event) => {
    if (event.key === "Tab" && event.target === element) setFlag(element, "is-tabbed", true);
  });
  element.addEventListener("blur", () => setFlag(element, "is-tabbed", false));

  if (options.seat !== undefined) setEyes(options.seat, { quiet: true });
  if (options.event !== undefined) ui.index = indexOfSeq(options.event) ?? ui.index;
  if (kept) {
    Object.assign(ui, kept.ui);
    ui.index = kept.atEnd ? game.last : (indexOfSeq(kept.seq) ?? game.last);
    ui.news = ui.index === game.last ? 0 : Math.max(0, kept.news + game.last - kept.last);
    ui.trail = kept.trail.map(indexOfSeq).filter((index) => index !== undefined);
  }
  if (hooks.theme) ui.theme = hooks.theme;
  applyTheme();
  render();
  if (kept) {
    side.restore(kept.side);
    if (kept.helps) help.open();
    if (kept.plays && ui.index < game.last) play();
  }

  return { key: payload.key, element, game, take, keep, destroy, goTo: show, go };

  // --- moving ---

  function take(next) {
    // The host's theme counts when it changes; in between, the reader's choice does.
    const turned = next.theme && next.theme !== hooks.theme;
    hooks = next;
    if (listening() !== keysOn) {
      keysOn.removeEventListener("keydown", onKey);
      keysOn = listening();
      keysOn.addEventListener("keydown", onKey);
    }
    if (turned) {
      ui.theme = hooks.theme;
      applyTheme();
    }
  }

  function keep() {
    const { eyes, bottom, hideFuture, speed, pauses, theme, touched } = ui;
    return {
      ui: { eyes, bottom, hideFuture, speed, pauses, theme, touched },
      seq: game.events[ui.index].seq,
      atEnd: ui.index === game.last,
      last: game.last,
      news: ui.news,
      trail: ui.trail.map((index) => game.events[index].seq),
      plays: ui.playing,
      helps: help.element.open,
      side: side.keep(),
    };
  }

  function destroy() {
    pause();
    clearTimeout(told);
    resizing.disconnect();
    keysOn.removeEventListener("keydown", onKey);
    document.removeEventListener("keydown", onUnclaimed, true);
    dark.removeEventListener("change", applyTheme);
    element.remove();
    mounted.delete(root);
  }

  function indexOfSeq(seq) {
    const index = game.events.findIndex((event) => event.seq === seq);
    return index < 0 ? undefined : index;
  }

  function moment() {
    return {
      game: payload.game.game_id,
      event: game.events[ui.index].seq,
      seat: typeof ui.eyes === "number" ? ui.eyes : null,
    };
  }

  function show({ event, seat }) {
    if (Number.isInteger(seat) && seat >= 0 && seat < seats) setEyes(seat, { quiet: true });
    const index = indexOfSeq(event);
    if (index !== undefined && index !== ui.index) ui.index = index;
    render();
  }

  function go(index) {
    const next = Math.max(0, Math.min(game.last, index));
    if (next === ui.index) return;
    ui.index = next;
    ui.touched = true;
    sheet.close();
    render();
    tell();
  }

  // One step by hand: autoplay ends.
  function step(by) {
    pause();
    go(ui.index + by);
  }

  // A jump can be taken back with B.
  function jump(index) {
    pause();
    if (index === undefined || index === ui.index) return;
    ui.trail.push(ui.index);
    if (ui.trail.length > 50) ui.trail.shift();
    go(index);
  }

  function jumpBack() {
    pause();
    const index = ui.trail.pop();
    if (index === undefined) say("There is no jump to go back from");
    else go(index);
  }

  function jumpIn(list, forward, what) {
    const index = forward ? nextOf(list, ui.index) : previousOf(list, ui.index);
    const hidden = forward && ui.hideFuture;
    if (index === undefined)
      say(hidden ? "Nothing further that may be told" : `No ${what} ${forward ? "after" : "before"} this`);
    jump(index);
  }

  function turnStart(forward) {
    const starts = game.turns.map(([first]) => first);
    return forward ? (nextOf(starts, ui.index) ?? game.last) : (previousOf(starts, ui.index) ?? 0);
  }

  // --- playing by itself ---

  function play() {
    if (ui.playing) return;
    if (ui.index === game.last) ui.index = game.dealt[0] ?? 0;
    ui.playing = true;
    render();
    schedule();
  }

  function pause() {
    clearTimeout(timer);
    if (!ui.playing) return;
    ui.playing = false;
    controls.update();
  }

  function schedule() {
    const kind = game.events[ui.index].type;
    const share = kind === "draw" || kind === "deal" ? 0.55 : game.key.includes(ui.index) ? 1.8 : 1;
    timer = setTimeout(
      () => {
        go(ui.index + 1);
        if (ui.index === game.last || (ui.pauses && game.stops.has(ui.index))) pause();
        else schedule();
      },
      (BEAT * share) / SPEEDS[SPEEDS.indexOf(ui.speed)],
    );
  }

  function changeSpeed(by) {
    const place = Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(ui.speed) + by));
    ui.speed = SPEEDS[place];
    controls.update();
    say(`Speed ${ui.speed}×`);
  }

  // --- what is seen ---

  function setEyes(eyes, { quiet = false } = {}) {
    ui.eyes = eyes;
    if (typeof eyes === "number") ui.bottom = eyes;
    sheet.close();
    if (quiet) return;
    render();
    tell();
    say(
      eyes === EVERYONE
        ? "All hands are shown"
        : eyes === NOBODY
          ? "All hands are hidden"
          : `Seen by ${game.labels[eyes]}`,
    );
  }

  function turnEyes(by) {
    const all = [EVERYONE, ...game.labels.keys()];
    setEyes(all[(Math.max(0, all.indexOf(ui.eyes)) + by + all.length) % all.length]);
  }

  function toggleFuture() {
    ui.hideFuture = !ui.hideFuture;
    render();
    say(ui.hideFuture ? "What comes later is hidden" : "The whole game is shown");
  }

  function flip() {
    ui.bottom = (ui.bottom + Math.max(1, Math.floor(seats / 2))) % seats;
    render();
  }

  function toggleTheme() {
    ui.theme = element.dataset.theme === "dark" ? "light" : "dark";
    applyTheme();
  }

  function applyTheme() {
    element.dataset.theme = ui.theme === "auto" ? (dark.matches ? "dark" : "light") : ui.theme;
  }

  // --- the screen ---

  function render() {
    if (ui.index === game.last) ui.news = 0;
    const jumped = painted === null || ui.index !== painted + 1;
    const time = performance.now();
    const swift = time - steppedAt < 160;
    steppedAt = time;
    setFlag(element, "is-swift", swift);
    const change = { jumped, swift };
    for (const part of parts) part.update(change);
    painted = ui.index;
    element.dataset.index = ui.index;
    element.dataset.seq = game.events[ui.index].seq;
    // The layout is worked out now, while the next frame is waited for, so that there is less to do in it.
    void element.offsetHeight;
  }

  // The word to the screen reader and to the host waits until the reader rests.
  function tell() {
    clearTimeout(told);
    told = setTimeout(() => {
      setText(live, spoken(view));
      hooks.onMoment?.(moment());
    }, 250);
  }

  function say(text) {
    setText(toast, text);
    toast.classList.remove("is-on");
    void toast.offsetWidth; // begin the fade anew
    toast.classList.add("is-on");
  }

  async function copy(text, done) {
    try {
      await navigator.clipboard.writeText(text);
      say(done);
    } catch {
      sheet.open({
        title: "To copy",
        lines: [
          make("input", { class: "ono-copy", readonly: true, value: text, "aria-label": "Text to copy" }),
        ],
      });
      sheet.element.querySelector("input").select();
    }
  }

  function copyLink() {
    copy(hooks.link ? hooks.link(moment()) : location.href, "Link to this moment copied");
  }

  // --- looking closer ---

  function openLife(id, at) {
    sheet.open(lifeSheet(view, id), at);
  }

  function openChoice(index, token, at) {
    sheet.open(choiceSheet(view, index, token), at);
  }

  // --- keys ---

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const target = event.composedPath()[0];
    if (target.matches?.("select, input, textarea") || help.element.open) {
      if (event.key !== "Escape") return event.stopPropagation();
    }
    if ((event.key === " " || event.key === "Enter") && target.closest?.("button, summary, a")) return;
    const act = keys[event.key] || keys[event.key.toLowerCase()];
    const digit = event.key >= "0" && event.key <= "9" ? Number(event.key) : null;
    if (!act && (digit === null || digit >= seats)) return;
    event.preventDefault();
    event.stopPropagation();
    if (act) act(event.shiftKey);
    else setEyes(digit);
  }

  // Keys that nothing on the page has the focus for, as right after it was opened, are the viewer's, if it is what
  // the reader looks at. They go no further, so that nobody else takes them too.
  function onUnclaimed(event) {
    if (!hooks.unclaimed || hooks.keys || event.defaultPrevented || !element.isConnected) return;
    let outermost = element;
    while (outermost.getRootNode() instanceof ShadowRoot) outermost = outermost.getRootNode().host;
    const { target } = event;
    if (target === outermost || !target.contains?.(outermost) || !isInSight()) return;
    onKey(event);
    // A part of the page that was clicked would be framed now.
    if (event.defaultPrevented && target.matches("[tabindex]")) element.focus({ preventScroll: true });
  }

  function isInSight() {
    const { top, bottom, height, width } = element.getBoundingClientRect();
    const seen = Math.min(bottom, innerHeight) - Math.max(top, 0);
    return width > 0 && seen > 0.6 * Math.min(height, innerHeight);
  }

  // A click on a control leaves the keys where they are; a tab brings the focus there.
  function keepFocus(event) {
    const target = event.composedPath()[0];
    if (target.closest?.("button") && !target.closest("select, input")) event.preventDefault();
    if (!element.contains(element.getRootNode().activeElement)) element.focus({ preventScroll: true });
  }
}

// --- words -----------------------------------------------------------------------------------------------

// The sentence of an event, without what the reader's seat does not see.
function sentenceOf(view, index) {
  const event = view.game.events[index];
  if ((event.type === "draw" || event.type === "deal") && !view.sees(event.seat, index)) {
    return [event.seat, event.type === "draw" ? " draws a card" : " is dealt four cards"];
  }
  return view.game.says[index];
}

// How far the numbers of the events go, unless that would tell what comes.
function ofLast({ game, ui }) {
  return ui.hideFuture ? "" : ` of ${game.events[game.last].seq}`;
}

function dueOf(state) {
  if (state.turn === null) return "";
  if (state.plays_due === 2) return "owes two cards";
  return state.second ? "owes the second card" : "to play";
}

function spoken(view) {
  const { game, ui } = view;
  const state = game.states[ui.index];
  const due =
    state.turn === null
      ? ""
      : ` ${game.labels[state.turn]} ${state.plays_due === 1 && !state.second ? "is to play" : dueOf(state)}.`;
  const faults = (game.found[ui.index] || [])
    .map((finding) => ` ${finding.code}: ${ended(shown(finding.message))}`)
    .join("");
  return `${view.plain(ui.index)}. Total ${figure(state.total)}.${due}${faults}`;
}

// --- cards -----------------------------------------------------------------------------------------------

function faceMaker(cards) {
  const drawn = new Map();
  return (token) => {
    if (!drawn.has(token)) {
      const shapes = (cards[token] || cards["?"]).shapes.map(([tag, attributes, text]) =>
        draw(tag, attributes, text),
      );
      drawn.set(
        token,
        draw("svg", { viewBox: "0 0 100 140", class: "ono-face", "aria-hidden": "true" }, ...shapes),
      );
    }
    return drawn.get(token).cloneNode(true);
  };
}

// A card as a small tag in a line of text.
function chip(view, token, more = "") {
  const { short, panel, ink } = view.card(token);
  const element = make("span", { class: `ono-chip ${more}`, "data-token": token }, short || "?");
  element.style.setProperty("--chip", panel);
  element.style.setProperty("--chip-ink", ink);
  return element;
}

function nameOfCard(view, token) {
  const { name, short } = view.card(token);
  return /^[−\d]+$/.test(short) ? short : name;
}

// --- the head --------------------------------------------------------------------------------------------

function headPart(view, acts) {
  const { game, ui } = view;
  const { payload } = game;
  const matches = {
    single: "single round",
    chips: "match for chips",
    points_last_standing: "points, last one standing",
    points_low_score: "points, lowest score",
  };
  const round = make("span", { class: "ono-round" });
  const news = make("button", {
    class: "ono-news",
    type: "button",
    title: "To the newest (End)",
    onclick: () => view.jump(game.last),
  });
  const eyes = make(
    "select",
    {
      "aria-label": "Whose cards are seen",
      title: "Whose cards are seen (S, A, H)",
      onchange: (event) => {
        const value = event.target.value;
        view.setEyes(value === EVERYONE || value === NOBODY ? value : Number(value));
      },
    },
    make("option", { value: EVERYONE }, "All hands"),
    make("option", { value: NOBODY }, "No hands"),
    ...game.labels.map((label, seat) => make("option", { value: seat }, label)),
  );
  const tool = (name, label, key, act, more = "") =>
    make(
      "button",
      {
        class: `ono-tool ${more}`,
        type: "button",
        "aria-label": label,
        title: `${label} (${key})`,
        onclick: act,
      },
      icon(name),
    );
  const future = tool("future", "Hide what comes later", "U", acts.toggleFuture);
  const what =
    payload.options.branch_of !== undefined
      ? make(
          "span",
          { class: "ono-ribbon" },
          "What if, not the record: from ",
          make("bdi", {}, shown(payload.options.branch_of)),
        )
      : null;
  const element = make(
    "header",
    { class: "ono-head" },
    make(
      "div",
      { class: "ono-title" },
      make("strong", {}, "ONO 99"),
      make(
        "bdi",
        { class: "ono-id", title: shown(payload.game.game_id) },
        cut(shown(payload.game.game_id), 60),
      ),
      make("span", { class: "ono-kind" }, `${game.rules.edition} edition, ${matches[game.rules.match]}`),
      what,
    ),
    news,
    round,
    make(
      "div",
      { class: "ono-tools" },
      make("label", { class: "ono-eyes" }, icon("eye"), eyes),
      future,
      tool("flip", "Turn the table", "F", acts.flip, "is-rare"),
      tool("link", "Copy a link to this moment", "C", acts.copyLink),
      acts.toggleTheme ? tool("theme", "Light or dark", "D", acts.toggleTheme, "is-rare") : null,
      tool("help", "Keys and help", "?", acts.openHelp),
    ),
  );
  const rounds = game.marks.round.length;
  return {
    element,
    update() {
      eyes.value = String(ui.eyes);
      future.setAttribute("aria-pressed", String(ui.hideFuture));
      news.hidden = !ui.news;
      setText(news, `${plural(ui.news, "newer event")} ⇥`);
      const number = game.states[ui.index].round;
      setText(
        round,
        !number ? "" : rounds > 1 ? (ui.hideFuture ? `Round ${number}` : `Round ${number} of ${rounds}`) : "",
      );
    },
  };
}

// --- the table -------------------------------------------------------------------------------------------

function tablePart(view) {
  const { game, ui, seats } = view;
  const centre = centrePart(view);
  const places = game.labels.map((_, seat) => seatPart(view, seat));
  const element = make(
    "section",
    { class: "ono-table", "aria-label": "The table" },
    centre.element,
    ...places.map((place) => place.element),
  );
  element.dataset.seats = seats;
  const many = seats > MOST_AROUND; // too many for a ring: in rows, in order of seat
  setFlag(element, "is-many", many);
  if (many) element.tabIndex = 0; // it is scrolled, and where no hand is shown no card in it has the focus
  let touch = null;
  element.addEventListener("pointerdown", (event) => {
    touch = event.pointerType === "mouse" ? null : { x: event.clientX, y: event.clientY };
  });
  element.addEventListener("pointerup", (event) => {
    if (!touch) return;
    const [dx, dy] = [event.clientX - touch.x, event.clientY - touch.y];
    touch = null;
    if (Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy)) view.step(dx < 0 ? 1 : -1);
  });
  let placedFor = null;
  let spots = []; // where each seat stands, from −1 to 1

  // The seats stand on a rounded ring, clockwise, the nearest one at the bottom.
  function place() {
    placedFor = ui.bottom;
    spots = [];
    element.style.setProperty("--low-rows", Math.ceil(seats / 2));
    places.forEach(({ element: seat }, number) => {
      const turn = (number - ui.bottom + seats) % seats;
      const angle = Math.PI / 2 + (turn * 2 * Math.PI) / seats;
      const round = (value) => Math.sign(value) * Math.abs(value) ** 0.55;
      const [x, y] = seats === 7 ? SEVEN[turn] : [round(Math.cos(angle)), round(Math.sin(angle))];
      seat.style.setProperty("--x", x.toFixed(3));
      seat.style.setProperty("--y", y.toFixed(3));
      spots.push([x, y]);
      // On a narrow screen: two columns, up on the left, down on the right.
      const rows = Math.ceil(seats / 2);
      const left = turn >= 1 && turn <= rows;
      seat.style.setProperty(
        "--column",
        seats === 2 || (seats % 2 && turn === rows) ? "1 / -1" : left ? 1 : 2,
      );
      seat.style.setProperty(
        "--row",
        (seats === 2 ? 2 - turn : left ? rows + 1 - turn : turn === 0 ? rows : turn - rows + (seats % 2)) + 1,
      );
      // On a low one: left and right of the middle.
      const lefts = Math.floor(seats / 2);
      const lower = seats - lefts;
      const toLeft = turn >= 1 && turn <= lefts;
      seat.style.setProperty("--low-column", toLeft ? 1 : 3);
      seat.style.setProperty("--low-row", toLeft ? lower + 1 - turn : turn === 0 ? lower : turn - lefts);
      seat.angle = (Math.atan2(y, x) * 180) / Math.PI + 90;
    });
  }

  function fit() {
    const low = view.element.clientHeight < LOW;
    const narrow = view.element.clientWidth <= 720;
    if (low && !many) setFlag(element, "is-flat", true); // its height follows from that
    const { clientWidth: width, clientHeight: height } = element;
    if (!width) return;
    const flat = !many && (low || (!narrow && height < FLAT));
    setFlag(element, "is-flat", flat);
    if (flat) {
      const rows = Math.ceil(seats / 2);
      const ring = Math.max(96, Math.min(width * 0.2, height - 70, 190));
      const high = ((height - 12) / rows - (low ? 40 : 48)) / 1.4;
      const wide = (width / 2 - ring / 2 - 40) / (low ? 4.4 : 6);
      element.style.setProperty("--card", `${Math.floor(Math.max(26, Math.min(high, wide, 70)))}px`);
      element.style.setProperty("--ring", `${Math.floor(ring)}px`);
      setFlag(element, "is-small", true);
      return;
    }
    if (many && !narrow) {
      element.style.setProperty("--card", "40px");
      element.style.setProperty("--ring", "150px");
      setFlag(element, "is-small", true);
      return;
    }
    const [card, ring] = narrow
      ? [seats === 2 ? 58 : Math.min((width / 2 - 26) / 4.3, 54), Math.min(width * 0.31, 168)]
      : sizes(width, height);
    element.style.setProperty("--card", `${Math.floor(card)}px`);
    element.style.setProperty("--ring", `${Math.floor(ring)}px`);
    setFlag(element, "is-small", ring < 190);
  }

  // The largest cards, with a dial as large as they leave room for, so that nothing lies over anything else.
  function sizes(width, height) {
    const full = Math.max(120, Math.min(width * 0.25, height * 0.37, 290));
    let best = [0, 0];
    for (const ring of [full, full * 0.85, full * 0.7]) {
      let card = 100;
      while (card > 26 && crowded(card, ring, width, height)) card -= 2;
      if (card > best[0] * 1.1) best = [card, ring];
    }
    return best;
  }

  function crowded(card, ring, width, height) {
    const [middle, centre] = [width / 2, height / 2];
    const box = (x, y, wide, high) => [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];
    const away = ring / 2 + Math.max(8, Math.min(view.element.clientWidth * 0.02, 30)) + card * 0.6;
    const boxes = [
      box(middle, centre, ring * 0.98, ring + 10),
      box(middle - away, centre, card + 36, card * 1.4 + 36),
      box(middle + away, centre, card + 36, card * 1.4 + 36),
    ];
    const hand = card * 4 + 18;
    for (const [x, y] of spots) {
      const across = middle + x * (middle - hand / 2 - 16);
      const down = centre + y * (centre - card * 0.7 - 46);
      boxes.push(box(across, down, Math.max(hand, 150), card * 1.4 + 74));
    }
    return boxes.some((one, place) =>
      boxes
        .slice(place + 1)
        .some((two) => one[0] < two[2] && two[0] < one[2] && one[1] < two[3] && two[1] < one[3]),
    );
  }

  function reveal(seat) {
    if (seat === null || element.scrollHeight <= element.clientHeight) return;
    const { offsetTop, offsetHeight } = places[seat].element;
    const head = centre.element.offsetHeight;
    if (offsetTop < element.scrollTop + head) element.scrollTop = offsetTop - head - 8;
    const foot = offsetTop + offsetHeight - element.clientHeight;
    if (foot > element.scrollTop) element.scrollTop = foot + 8;
  }

  return {
    element,
    fit,
    update(change) {
      if (placedFor !== ui.bottom) place();
      places.forEach((seat) => seat.update(change));
      centre.update(change, places);
      if (many) reveal(game.states[ui.index].turn);
    },
  };
}

function seatPart(view, seat) {
  const { game, ui } = view;
  const player = game.payload.game.players[seat];
  const full = (name) => fill(name, { title: shown(player.name) }, []);
  const hand = make("div", { class: "ono-hand", role: "group" });
  const stand = make("span", { class: "ono-stand" });
  const state = make("span", { class: "ono-state" });
  const dealer = make(
    "span",
    { class: "ono-dealer", title: "Dealer", "aria-label": "Dealer", role: "img" },
    "D",
  );
  const element = make(
    "div",
    {
      class: "ono-seat",
      role: "group",
      "data-seat": seat,
      "aria-label": `Seat ${seat}: ${game.labels[seat]}`,
    },
    make(
      "div",
      { class: "ono-plate" },
      make("span", { class: "ono-number", title: `Seat ${seat}` }, String(seat)),
      full(view.short(seat)),
      player.bot ? make("span", { class: "ono-bot" }, "bot") : null,
      dealer,
      stand,
    ),
    hand,
    state,
  );
  const cards = []; // {element, token, open, id} as they lie on the screen
  let crowded = 0;
  let gaps = []; // the places of a short hand

  function update() {
    const now = game.states[ui.index];
    const open = view.sees(seat);
    const out = now.out.indexOf(seat);
    const acts = now.turn === seat && !now.draws_due;
    patch(
      now.hands[seat] || [],
      game.lives.holds[ui.index][seat] || [],
      open,
      acts ? now.legal : null,
      out >= 0,
    );
    setFlag(element, "is-acting", acts && now.turn !== null);
    setFlag(element, "is-owing", now.turn === seat && (now.plays_due === 2 || now.second));
    setFlag(element, "is-out", out >= 0);
    const event = game.events[ui.index];
    const wins =
      (event.type === "game_end" && event.winners.includes(seat)) ||
      (event.type === "round_end" && event.winner === seat);
    setFlag(element, "is-winner", wins);
    setFlag(element, "is-fault", event.seat === seat && game.marks.fault.includes(ui.index));
    setText(
      state,
      wins ? (event.type === "game_end" ? "wins the game" : "wins the round") : standing(now, event, out),
    );
    dealer.hidden = dealerAt(game, ui.index) !== seat;
    showStand(now);
  }

  function standing(now, event, out) {
    const gone = now.turn !== null && game.seated[ui.index]?.has(seat) === false;
    if (out >= 0 && game.leavers[ui.index].has(seat)) return "left";
    if (out >= 0) return game.states[ui.index].hands.length > 2 ? `out, ${ordinal(out + 1)} to fall` : "out";
    if (gone && !(now.hands[seat] || []).length)
      return game.leavers[ui.index].has(seat) ? "left the match" : "out of the match";
    if (now.draws_due > 0 && event.seat === seat)
      return now.draws_due === 1 ? "draws" : `draws ${now.draws_due}`;
    return now.turn === seat && !now.draws_due
      ? dueOf(now)
      : now.turn === seat && now.plays_due === 2
        ? "will owe two"
        : "";
  }

  function showStand(now) {
    const held = now.chips ? now.chips[seat] : now.scores ? now.scores[seat] : undefined;
    const out = game.leavers[ui.index].has(seat) ? "left" : now.chips ? "no chips" : "";
    const text =
      held === undefined
        ? ""
        : now.chips
          ? held === null
            ? out
            : plural(held, "chip")
          : held === null
            ? out
            : plural(held, "point");
    if (stand.dataset.text === text) return;
    stand.dataset.text = text;
    stand.replaceChildren();
    if (now.chips && held !== null && held <= 5) {
      stand.append(...Array.from({ length: held }, () => make("i", { class: "ono-pip" })));
      stand.append(make("span", { class: "ono-hidden" }, text));
    } else stand.append(text);
    stand.title = text;
  }

  // Only cards that are others than before are made anew.
  function patch(tokens, ids, open, legal, out) {
    hand.setAttribute("aria-label", `${plural(tokens.length, "card")} in the hand of ${game.labels[seat]}`);
    const crowd = tokens.length > 4 ? tokens.length : 0; // a position may start with any number of cards
    if (crowd !== crowded) hand.style.setProperty("--crowd", (crowded = crowd) ? (4.3 - 1) / (crowd - 1) : 0);
    setFlag(hand, "is-crowded", crowd > 0);
    tokens.forEach((token, place) => {
      const old = cards[place];
      const can =
        legal && open && token !== "?"
          ? token in legal || (token === "ono_99" && "discard_four" in legal)
          : null;
      if (old && old.token === token && old.open === open && old.id === ids[place])
        return mark(old, can, legal);
      const made = { token, open, id: ids[place], element: cardElement(token, open, ids[place]) };
      if (old) {
        if (old.element.matches(":focus")) view.element.focus({ preventScroll: true });
        old.element.replaceWith(made.element);
      } else hand.append(made.element);
      cards[place] = made;
      mark(made, can, legal);
    });
    for (const { element: gone } of cards.splice(tokens.length)) gone.remove();
    const room = tokens.length && !out ? Math.max(0, 4 - tokens.length) : 0;
    if (gaps.length !== room) {
      gaps.forEach((gap) => gap.remove());
      gaps = Array.from({ length: room }, () => make("span", { class: "ono-gap" }));
    }
    hand.append(...gaps);
  }

  function cardElement(token, open, id) {
    if (!open)
      return make(
        "span",
        { class: "ono-card is-down", role: "img", "aria-label": "A card face down" },
        view.face("back"),
      );
    return make(
      "button",
      {
        class: "ono-card",
        type: "button",
        "data-token": token,
        onclick: (event) => view.openLife(id, event.currentTarget),
      },
      view.face(token),
    );
  }

  function mark(card, can, legal) {
    if (!card.open) return;
    setFlag(card.element, "is-legal", can === true);
    const name = nameOfCard(view, card.token);
    const after = can ? (legal[card.token] ?? legal.discard_four) : null;
    const label =
      can === true
        ? `${name}, can be played: total ${figure(after)}`
        : can === false
          ? `${name}, can not be played`
          : name;
    if (card.label === label) return;
    card.label = label;
    card.element.setAttribute("aria-label", label);
    card.element.title = label;
  }

  return { element, update };
}

function dealerAt(game, index) {
  for (let place = index; place >= 0; place--)
    if (game.events[place].type === "round_start") return game.events[place].dealer;
  return game.payload.game.dealer;
}

function centrePart(view) {
  const { game, ui } = view;
  const max = game.rules.max_total;
  const danger = Math.max(0, max - DANGER_SPAN);
  const arc = (attributes) =>
    draw("path", {
      d: "M45.9 175.600A93 93 0 1 1 154.100 175.600",
      fill: "none",
      pathLength: max,
      ...attributes,
    });
  const zone = arc({ class: "ono-zone", "stroke-dasharray": `0 ${danger} ${max - danger} ${max}` });
  const value = arc({ class: "ono-value" });
  const arrows = draw(
    "g",
    { class: "ono-arrows" },
    draw("path", { d: "M33.900 184.200A107.500 107.500 0 1 1 166.100 184.200", class: "ono-orbit" }),
    ...[-100, -33, 33, 100].map((turn) =>
      draw("path", { d: "M95-14l12 6.500-12 6.500z", transform: `rotate(${turn} 100 100)` }),
    ),
  );
  const pointer = draw("path", { class: "ono-pointer", d: "M100-19l12 19h-24z" });
  const ring = draw(
    "svg",
    { class: "ono-ring", viewBox: "-18 -18 236 236", "aria-hidden": "true" },
    arc({ class: "ono-track" }),
    zone,
    value,
    draw("g", { class: "ono-turning" }, arrows),
    pointer,
  );
  const total = make("strong", { class: "ono-figure" });
  const left = make("span", { class: "ono-left" });
  const way = make("span", { class: "ono-way" }, icon("clockwise"), make("span", {}));
  const owes = make("div", { class: "ono-owes" });
  const drawPile = make(
    "div",
    { class: "ono-pile is-draw" },
    make("div", { class: "ono-stack" }),
    make("span", { class: "ono-count" }),
  );
  const discards = make("div", { class: "ono-stack" });
  const discardPile = make(
    "div",
    { class: "ono-pile is-discard" },
    discards,
    make("span", { class: "ono-count" }),
  );
  const element = make(
    "div",
    { class: "ono-centre" },
    drawPile,
    make(
      "div",
      { class: "ono-dial" },
      ring,
      make("div", { class: "ono-readout" }, make("span", { class: "ono-label" }, "Total"), total, left, way),
      owes,
    ),
    discardPile,
  );
  let stacked = null;
  let drawn = -1;

  function update(change, places) {
    const now = game.states[ui.index];
    const event = game.events[ui.index];
    setText(total, figure(now.total));
    value.setAttribute("stroke-dasharray", `${Math.max(0.01, Math.min(now.total, max))} ${2 * max}`);
    const room = max - now.total;
    left.title = `The limit is ${max}`;
    setFlag(element, "is-danger", now.total >= danger && now.round > 0);
    if (room) setText(left, room < 0 ? `${-room} over ${max}` : `${room} left`);
    else if (left.textContent !== "at the limit")
      left.replaceChildren("at ", make("span", { class: "ono-extra" }, "the "), "limit");
    setText(way.lastChild, now.direction > 0 ? "clockwise" : "counter-clockwise");
    setFlag(element, "is-counter", now.direction < 0);
    const owing = now.turn !== null && (now.plays_due === 2 || now.second);
    owes.hidden = !owing;
    if (owing)
      owes.replaceChildren(
        view.name(now.turn),
        make("span", {}, now.second ? " owes the second" : " owes two"),
        make("span", { class: "ono-extra" }, now.second ? " card" : " cards"),
      );
    pointer.style.visibility = now.turn === null ? "hidden" : "visible";
    if (now.turn !== null)
      pointer.style.transform = `rotate(${places[now.turn].element.angle.toFixed(1)}deg)`;
    showPile(drawPile, now.draw_pile, "in the draw pile");
    showPile(discardPile, now.discard_pile, "discarded");
    if (drawn !== Math.min(now.draw_pile, 1)) {
      drawn = Math.min(now.draw_pile, 1);
      drawPile.firstChild.replaceChildren(
        ...(drawn ? [make("span", { class: "ono-card is-down" }, view.face("back"))] : []),
      );
    }
    drawPile.firstChild.style.setProperty("--depth", Math.min(6, Math.ceil(now.draw_pile / 8)));
    if (stacked !== now.pile) showDiscards(now, event, change);
    stacked = now.pile;
  }

  function showPile(pile, count, what) {
    setText(pile.lastChild, String(count));
    pile.title = `${count} ${what}`;
    setFlag(pile, "is-empty", count === 0);
  }

  // The last cards of the pile, the top one in full.
  function showDiscards(now, event, change) {
    const top = now.pile.slice(-4);
    discards.replaceChildren(
      ...top.map((token, place) => {
        const last = place === top.length - 1;
        const id = last ? topLife(token) : null;
        const card =
          id === null
            ? make(
                "span",
                { class: "ono-card", role: "img", "aria-label": nameOfCard(view, token) },
                view.face(token),
              )
            : make(
                "button",
                {
                  class: "ono-card",
                  type: "button",
                  "data-token": token,
                  "aria-label": `${nameOfCard(view, token)}, on top of the discard pile`,
                  onclick: (press) => view.openLife(id, press.currentTarget),
                },
                view.face(token),
              );
        card.style.setProperty("--back", top.length - 1 - place);
        return card;
      }),
    );
    const seat =
      event.type === "play" ? element.parentElement?.querySelector(`[data-seat="${event.seat}"]`) : null;
    if (seat && !change.jumped && !change.swift && !view.calm.matches) fly(seat);
  }

  // The life of the card on top: that of the last card that was laid there. A laid-down hand that is not the hand
  // ends lives, too.
  function topLife(token) {
    for (let index = ui.index; index >= 0; index--) {
      const { type, card } = game.events[index];
      if (type === "play" || type === "discard_four" || (type === "eliminate" && card)) {
        const fits = (id) => [token, "?"].includes(game.lives.lives[id].token);
        return game.lives.left[index].find(fits) ?? null;
      }
      if (type === "reshuffle" || type === "round_start") return null;
    }
    return null;
  }

  // The card that was just played comes from its player.
  function fly(seat) {
    const card = discards.lastElementChild;
    const from = seat.getBoundingClientRect();
    const to = card.getBoundingClientRect();
    const [dx, dy] = [
      (from.left + from.right - to.left - to.right) / 2,
      (from.top + from.bottom - to.top - to.bottom) / 2,
    ];
    card.animate(
      [
        { transform: `translate(${dx}px, ${dy}px) scale(0.8)`, opacity: 0.6 },
        { transform: "none", opacity: 1 },
      ],
      { duration: 220, easing: "cubic-bezier(0.2, 0.8, 0.2, 1)" },
    );
  }

  return { element, update };
}

// --- what happens now ------------------------------------------------------------------------------------

function nowPart(view) {
  const { game, ui } = view;
  const caption = make("p", { class: "ono-caption" });
  const other = make("div", { class: "ono-other" });
  const faults = make("div", {
    class: "ono-faults",
    role: "group",
    "aria-label": "Findings at this event",
    hidden: true,
  });
  const key = (name) => make("kbd", {}, name);
  const hint = matchMedia("(pointer: coarse)").matches
    ? make("span", { class: "ono-soft" }, "swipe the table, or drag the curve")
    : make(
        "span",
        { class: "ono-soft ono-hint" },
        key("→"),
        "step",
        key("Space"),
        "play",
        key("?"),
        "all keys",
      );
  const element = make(
    "section",
    { class: "ono-now", "aria-label": "This moment" },
    make("div", { class: "ono-line" }, caption, other),
    faults,
  );

  function update() {
    const event = game.events[ui.index];
    caption.replaceChildren(...view.sentence(ui.index));
    if (event.irregular) caption.append(make("span", { class: "ono-stood" }, "let stand at the table"));
    showOther(event);
    const found = game.found[ui.index] || [];
    if (!found.length && faults.hidden) return;
    faults.replaceChildren(...found.map((finding) => findingElement(view, finding)));
    faults.hidden = !found.length;
    // More than there is room for can be scrolled by the keyboard, too.
    faults.scrollTop = 0;
    if (faults.scrollHeight > faults.clientHeight) faults.tabIndex = 0;
    else faults.removeAttribute("tabindex");
  }

  // What else could have been played, each with the total it would have made.
  function showOther(event) {
    other.replaceChildren();
    if (!ui.touched && event.type === "deal") other.append(hint);
    const acted =
      event.type === "play" ||
      event.type === "discard_four" ||
      (event.type === "eliminate" && event.reason === "no_legal_play");
    if (!acted || !view.sees(event.seat, ui.index - 1)) return;
    const before = game.states[ui.index - 1];
    const legal = Object.entries(before.legal).filter(([token]) => token !== (event.card ?? event.type));
    if (before.turn !== event.seat || !legal.length) return;
    other.append(
      make("span", { class: "ono-soft" }, "could also have played"),
      ...legal.map(([token, total]) => {
        const name = token === "discard_four" ? "the four ONO 99" : nameOfCard(view, token);
        const label = `What if: ${name}, total ${figure(total)}`;
        return make(
          "button",
          {
            class: "ono-choice",
            type: "button",
            title: label,
            "aria-label": label,
            onclick: (press) => view.openChoice(ui.index - 1, token, press.currentTarget),
          },
          chip(view, token === "discard_four" ? "ono_99" : token),
          make("span", {}, figure(total)),
        );
      }),
    );
  }

  return { element, update };
}

function findingElement(view, finding) {
  const grave =
    finding.severity === "error" ? "is-error" : finding.severity === "warning" ? "is-warning" : "is-note";
  const legal = finding.legal?.length
    ? make(
        "span",
        { class: "ono-legal" },
        "could have played ",
        ...finding.legal.map((token) => chip(view, token === "discard_four" ? "ono_99" : token)),
      )
    : null;
  return make(
    "div",
    { class: `ono-finding ${grave}` },
    icon(grave === "is-note" ? "note" : "fault"),
    make(
      "div",
      {},
      make("strong", {}, finding.code),
      " ",
      make(
        "span",
        { class: "ono-soft" },
        finding.knock_on ? `${finding.severity}, follows from an earlier one` : finding.severity,
      ),
      make("p", {}, shown(finding.message)),
      finding.help ? make("p", { class: "ono-soft" }, shown(finding.help)) : null,
      legal,
    ),
  );
}

// --- the course of the total, as a scrubber --------------------------------------------------------------

function coursePart(view) {
  const { game, ui } = view;
  const { states, rules } = game;
  const scene = draw("svg", { class: "ono-scene", "aria-hidden": "true" });
  const past = draw("svg", { class: "ono-scene", "aria-hidden": "true" });
  // What has been is drawn a second time behind a curtain. The curtain moves one way and the drawing in it the
  // other, which a browser does without painting anything anew.
  const curtain = make("div", { class: "ono-curtain" }, past);
  const cursor = make("div", { class: "ono-cursor" }, make("i", {}));
  const ghost = make("div", { class: "ono-ghost" });
  const element = make(
    "div",
    {
      class: "ono-course",
      role: "slider",
      tabindex: "0",
      "aria-label": "Course of the total",
      "aria-valuemin": "0",
      "aria-valuemax": String(game.last),
      "aria-orientation": "horizontal",
    },
    scene,
    curtain,
    cursor,
    ghost,
  );
  const totals = states.map((state) => state.total);
  const top = Math.max(rules.max_total, ...totals);
  const bottom = Math.min(0, ...totals);
  const pad = { left: 34, right: 14, top: 12, bottom: game.marks.round.length > 1 ? 30 : 16 };
  let width = 0;
  let height = 0;
  const x = (index) => pad.left + (game.last ? (index / game.last) * (width - pad.left - pad.right) : 0);
  const y = (total) =>
    height - pad.bottom - ((total - bottom) / (top - bottom || 1)) * (height - pad.top - pad.bottom);

  function fit() {
    const { clientWidth, clientHeight } = element;
    if (!clientWidth || (clientWidth === width && clientHeight === height)) return;
    width = clientWidth;
    height = clientHeight;
    paint();
    update();
  }

  function paint() {
    for (const svg of [scene, past]) svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const danger = Math.max(0, rules.max_total - DANGER_SPAN);
    const both = y(danger) - y(rules.max_total) > 6; // else their figures would lie over each other
    const grid = [0, danger, rules.max_total].map((total) =>
      draw(
        "g",
        { class: total === rules.max_total ? "ono-limit" : "ono-grid" },
        draw("path", { d: `M${pad.left} ${y(total)}H${width - pad.right}` }),
        draw(
          "text",
          {
            x: pad.left - 6,
            y: y(total) + (total === rules.max_total ? 1 : total === danger ? 7 : 4),
            "text-anchor": "end",
          },
          total === danger && !both ? "" : figure(total),
        ),
      ),
    );
    const zone = draw("rect", {
      class: "ono-band",
      x: pad.left,
      y: y(rules.max_total),
      width: Math.max(0, width - pad.left - pad.right),
      height: Math.max(0, y(danger) - y(rules.max_total)),
    });
    const whole = draw("g", {}, ...rounds(), ...curves(), ...chains(), ...marks());
    past.replaceChildren(whole);
    scene.replaceChildren(zone, ...grid, draw("g", { class: "ono-ahead" }, whole.cloneNode(true)));
  }

  function curves() {
    const drawn = [];
    const starts = [...game.marks.round, game.last + 1];
    for (let place = 0; place + 1 < starts.length; place++) {
      let path = "";
      for (let index = starts[place]; index < starts[place + 1]; index++) {
        path +=
          index === starts[place]
            ? `M${x(index).toFixed(1)} ${y(totals[index]).toFixed(1)}`
            : `H${x(index).toFixed(1)}V${y(totals[index]).toFixed(1)}`;
      }
      const end = x(starts[place + 1] - 1).toFixed(1);
      drawn.push(
        draw("path", { class: "ono-area", d: `${path}V${y(bottom)}H${x(starts[place]).toFixed(1)}z` }),
        draw("path", { class: "ono-curve", d: `${path}H${end}` }),
      );
    }
    return drawn;
  }

  function chains() {
    const base = height - pad.bottom + 7;
    return game.chains.map(([first, last, , length, hit]) =>
      draw(
        "g",
        { class: "ono-chain" },
        draw("path", { d: `M${x(first).toFixed(1)} ${base}H${Math.max(x(last), x(first) + 3).toFixed(1)}` }),
        draw("circle", { cx: x(first).toFixed(1), cy: base, r: 2.5 + Math.min(3, length - 1) }),
        hit === null ? null : draw("path", { d: `M${x(last).toFixed(1)} ${base - 4}v8` }),
      ),
    );
  }

  function marks() {
    const at = (index) => `translate(${x(index).toFixed(1)} ${y(totals[index]).toFixed(1)})`;
    return [
      ...game.marks.four.map((index) =>
        draw("path", { class: "ono-mark is-four", d: "M0-6l6 6-6 6-6-6z", transform: at(index) }),
      ),
      ...game.marks.out.map((index) =>
        draw("path", { class: "ono-mark is-out", d: "M-5-5l10 10M5-5l-10 10", transform: at(index) }),
      ),
      ...game.marks.fault.map((index) =>
        draw("path", {
          class: "ono-mark is-fault",
          d: "M0-7l7 12h-14z",
          transform: `translate(${x(index).toFixed(1)} 9)`,
        }),
      ),
    ];
  }

  function rounds() {
    if (game.marks.round.length < 2) return [];
    let free = 0; // where the next label has room
    return game.marks.round.map((index, place) =>
      draw(
        "g",
        { class: "ono-cut" },
        place ? draw("path", { d: `M${x(index).toFixed(1)} ${pad.top - 6}V${height - pad.bottom}` }) : null,
        label(index),
      ),
    );

    function label(index) {
      if (x(index) < free) return null;
      free = x(index) + 28;
      return draw("text", { x: (x(index) + 3).toFixed(1), y: height - 4 }, `R${states[index].round}`);
    }
  }

  function indexAt(event) {
    const box = element.getBoundingClientRect();
    const share = (event.clientX - box.left - pad.left) / (box.width - pad.left - pad.right);
    return Math.round(Math.max(0, Math.min(1, share)) * game.last);
  }

  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    view.jump(indexAt(event));
  });
  element.addEventListener("pointermove", (event) => {
    const index = indexAt(event);
    if (element.hasPointerCapture(event.pointerId)) {
      if (index !== ui.index) view.go(index);
    } else if (event.pointerType === "mouse" && !(ui.hideFuture && index > ui.index)) {
      ghost.style.transform = `translateX(${x(index)}px)`;
      setText(ghost, `${view.plain(index)}`);
      setFlag(ghost, "is-on", true);
      setFlag(ghost, "is-left", x(index) > width / 2);
    } else setFlag(ghost, "is-on", false);
  });
  for (const name of ["pointerleave", "pointerdown"])
    element.addEventListener(name, () => setFlag(ghost, "is-on", false));

  function update() {
    if (!width) return;
    const place = x(ui.index);
    const shut = (width - place - 0.5).toFixed(1);
    curtain.style.transform = `translateX(-${shut}px)`;
    past.style.transform = `translateX(${shut}px)`;
    cursor.style.transform = `translateX(${place.toFixed(1)}px)`;
    cursor.firstChild.style.transform = `translateY(${y(totals[ui.index]).toFixed(1)}px)`;
    setFlag(element, "hides-future", ui.hideFuture);
    element.setAttribute("aria-valuenow", String(ui.index));
    element.setAttribute(
      "aria-valuetext",
      `Event ${game.events[ui.index].seq}${ofLast(view)}: total ${figure(totals[ui.index])}`,
    );
  }

  return { element, fit, update };
}

// --- beside the table ------------------------------------------------------------------------------------

function sidePart(view) {
  const panels = [listPanel(view), matchPanel(view), deckPanel(view), findingsPanel(view), aboutPanel(view)];
  const tabs = panels.map((panel, place) =>
    make(
      "button",
      {
        class: "ono-tab",
        type: "button",
        role: "tab",
        "aria-selected": String(!place),
        tabindex: place ? "-1" : "0",
        onclick: () => {
          const again = place === current;
          open(place);
          bringUp(again);
        },
        onkeydown: (event) => {
          const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
          if (!by) return;
          event.preventDefault();
          event.stopPropagation();
          const next = (place + by + panels.length) % panels.length;
          open(next);
          tabs[next].focus();
        },
      },
      panel.title,
      panel.count ? make("span", { class: "ono-badge" }, String(panel.count)) : null,
    ),
  );
  panels.forEach((panel, place) => {
    panel.element.setAttribute("role", "tabpanel");
    panel.element.setAttribute("aria-label", panel.title);
    panel.element.hidden = place > 0;
  });
  const element = make(
    "aside",
    { class: "ono-side", "aria-label": "The game in detail" },
    make("div", { class: "ono-tabs", role: "tablist", "aria-label": "The game in detail" }, ...tabs),
    ...panels.map((panel) => panel.element),
  );
  let current = 0;

  function open(place) {
    current = place;
    panels.forEach((panel, other) => {
      panel.element.hidden = other !== place;
      tabs[other].setAttribute("aria-selected", String(other === place));
      tabs[other].tabIndex = other === place ? 0 : -1;
    });
    panels[place].fit?.();
    panels[place].update();
  }

  // Where the side lies below the table, a tab brings its panel up, and the same tab the table again.
  function bringUp(again) {
    const main = element.closest(".ono-main");
    if (main.scrollHeight <= main.clientHeight + 1) return;
    const now = main.querySelector(".ono-now").getBoundingClientRect().top;
    const top = main.scrollTop + now - main.getBoundingClientRect().top;
    const most = main.scrollHeight - main.clientHeight;
    const there = Math.abs(main.scrollTop - Math.min(top, most)) < 2;
    main.scrollTo({ top: again && there ? 0 : top, behavior: view.calm.matches ? "instant" : "smooth" });
  }

  // Which panel is open, and how far down it is read; the list scrolls by itself.
  const keep = () => ({ place: current, top: current ? panels[current].element.scrollTop : 0 });

  function restore({ place, top }) {
    if (place) open(place);
    if (place) panels[place].element.scrollTop = top;
  }

  return {
    element,
    keep,
    restore,
    fit: () => panels[current].fit?.(),
    update: () => panels[current].update(),
  };
}

// The score sheet: a line for each turn, its events side by side.
function listPanel(view) {
  const { game, ui } = view;
  const list = make("ol", { class: "ono-list" });
  const element = make("div", { class: "ono-panel is-list", tabindex: "-1" }, list);
  let rows = [];
  let eyes = null;
  let marked = -1;
  let hidden = game.last + 1; // the first event that is not shown
  let tops = null;
  let scrolled = 0; // kept here: to ask the element would cost a layout
  element.addEventListener("scroll", () => (scrolled = element.scrollTop), { passive: true });

  function build() {
    eyes = ui.eyes;
    rows = game.events.map((event, index) => rowOf(event, index));
    list.replaceChildren(
      ...game.turns.map(([first, seat, number], turn) => {
        const end = turn + 1 < game.turns.length ? game.turns[turn + 1][0] : game.last + 1;
        const events = make("div", { class: "ono-events" }, ...rows.slice(first, end));
        if (seat === null) return make("li", { class: "ono-turn is-between" }, events);
        return make(
          "li",
          { class: "ono-turn" },
          make("span", { class: "ono-count" }, String(number)),
          who(seat),
          events,
        );
      }),
    );
    marked = -1;
    hidden = game.last + 1;
    tops = null;
  }

  function who(seat) {
    return make(
      "span",
      { class: "ono-who" },
      game.twin[seat] ? make("span", { class: "ono-number" }, String(seat)) : null,
      view.short(seat),
    );
  }

  function rowOf(event, index) {
    const row = make(
      "button",
      {
        class: `ono-event is-${event.type.replace("_", "-")}`,
        type: "button",
        tabindex: "-1",
        "aria-label": `${view.plain(index)}`,
        onclick: () => view.jump(index),
      },
      ...partsOf(event, index),
    );
    if (game.marks.fault.includes(index)) row.append(icon("fault"));
    if (event.irregular) row.classList.add("is-irregular");
    return row;
  }

  function partsOf(event, index) {
    const open = "seat" in event ? view.sees(event.seat, index) : true;
    const total = figure(game.states[index].total);
    switch (event.type) {
      case "play":
        return [chip(view, event.card), make("b", {}, total)];
      case "draw":
        return ["+", chip(view, open ? event.card : "?", "is-small")];
      case "forfeit_draw":
        return ["no draw"];
      case "discard_four":
        return [chip(view, "ono_99"), "× 4", make("b", {}, total)];
      case "deal":
        return [who(event.seat), ...event.cards.map((card) => chip(view, open ? card : "?", "is-small"))];
      case "eliminate":
        return [
          icon("out"),
          event.reason === "left" ? "leaves" : event.reason === "timeout" ? "timed out" : "out",
          ...(event.card ? [chip(view, event.card)] : []),
          ...(event.hand || []).map((card) => chip(view, card, "is-small")),
        ];
      case "reshuffle":
        return ["reshuffled", make("span", { class: "ono-soft" }, plural(event.count, "card"))];
      case "comment":
        if (event.ref !== undefined && ANNOUNCED.test(event.text))
          return [make("span", { class: "ono-soft" }, ...view.sentence(index))];
        return [make("q", {}, cut(shown(event.text), 300))];
      default:
        return [make("span", {}, ...view.sentence(index))];
    }
  }

  function update() {
    if (eyes !== ui.eyes) build();
    const first = ui.hideFuture ? ui.index + 1 : game.last + 1;
    if (first !== hidden) {
      for (let index = Math.min(first, hidden); index < Math.max(first, hidden); index++) {
        rows[index].classList.toggle("is-ahead", index >= first);
        if (index === game.turns[game.turnOf[index]][0])
          rows[index].closest("li").classList.toggle("is-ahead", index >= first);
      }
      hidden = first;
    }
    if (marked !== ui.index) {
      for (const [index, on] of [
        [marked, false],
        [ui.index, true],
      ]) {
        const row = rows[index];
        if (!row) continue;
        row.classList.toggle("is-now", on);
        row.tabIndex = on ? 0 : -1;
        if (on) row.setAttribute("aria-current", "step");
        else row.removeAttribute("aria-current");
      }
      marked = ui.index;
    }
    reveal();
  }

  function fit() {
    tops = null;
    reveal();
  }

  // Places are measured once, so that a step needs no new layout.
  function reveal() {
    if (element.hidden || !rows.length) return;
    if (!tops) measure();
    const place = tops.place[ui.index];
    const [from, to] = inSight();
    const edge = Math.min(24, (to - from) / 4);
    if (place < scrolled + from + edge || place + LINE > scrolled + to - edge) {
      scrolled = Math.max(0, place - from - (to - from) * 0.4);
      element.scrollTop = scrolled;
    }
  }

  // Which part of the panel is on the screen: where the side is below the table, the bar may cut it off.
  function inSight() {
    const main = element.closest(".ono-main");
    if (!main || main.scrollHeight <= main.clientHeight) return [0, tops.height];
    const frame = main.getBoundingClientRect();
    const box = element.getBoundingClientRect();
    const from = Math.max(0, frame.top - box.top);
    const to = Math.min(tops.height, frame.bottom - box.top);
    return to - from > 2 * LINE ? [from, to] : [0, tops.height];
  }

  // Turns out of sight are left out of layout and paint; they keep the height that is measured here.
  function measure() {
    element.classList.remove("is-measured");
    const turns = [...list.children];
    const heights = turns.map((turn) => turn.offsetHeight);
    const base = list.getBoundingClientRect().top;
    tops = {
      place: rows.map((row) => row.getBoundingClientRect().top - base),
      height: element.clientHeight,
    };
    turns.forEach((turn, place) => (turn.style.containIntrinsicHeight = `${heights[place]}px`));
    element.classList.add("is-measured");
  }

  return { title: "Events", element, update, fit };
}

function matchPanel(view) {
  const { game, ui } = view;
  const element = make("div", { class: "ono-panel", tabindex: "0" });
  const kind = game.rules.match;
  let shownFor = null; // how many of the events that it tells of

  function update() {
    const upTo = ui.hideFuture ? ui.index : game.last;
    const told = [...game.marks.out, ...game.marks.end].filter((index) => index <= upTo).length;
    if (shownFor === told) return;
    shownFor = told;
    const ends = game.events
      .map((event, index) => [event, index])
      .filter(([event, index]) => event.type === "round_end" && index <= upTo);
    element.replaceChildren(
      ends.length ? tableOf(ends) : make("p", { class: "ono-soft" }, "No round is over yet."),
      ...fallen(upTo),
      ...finalWord(upTo),
    );
  }

  function tableOf(ends) {
    const standing = (event) => (kind === "chips" ? event.chips : event.scores);
    const head = make(
      "tr",
      {},
      make("th", { scope: "col" }, "Player"),
      ...ends.map(([event, index]) =>
        make(
          "th",
          { scope: "col" },
          make(
            "button",
            {
              type: "button",
              class: "ono-jump",
              title: "Go to the end of this round",
              onclick: () => view.jump(index),
            },
            `R${event.round}`,
          ),
        ),
      ),
    );
    const lines = game.labels.map((_, seat) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, view.name(seat)),
        ...ends.map(([event]) => {
          const held = standing(event)?.[seat];
          const points = event.points?.[seat];
          const text =
            held === undefined
              ? event.winner === seat
                ? "won"
                : ""
              : held === null
                ? "–"
                : points !== undefined && points !== null
                  ? `${held} (+${points})`
                  : String(held);
          return make(
            "td",
            { class: event.winner === seat ? "is-best" : event.loser === seat ? "is-worst" : null },
            text,
          );
        }),
      ),
    );
    const caption =
      { chips: "Chips after each round", single: "The round" }[kind] || "Points after each round (and in it)";
    return make(
      "div",
      { class: "ono-wide" },
      make(
        "table",
        { class: "ono-scores" },
        make("caption", {}, caption),
        make("thead", {}, head),
        make("tbody", {}, ...lines),
      ),
    );
  }

  function fallen(upTo) {
    const outs = game.marks.out.filter((index) => index <= upTo);
    if (!outs.length) return [];
    return [
      make("h2", {}, "Eliminations"),
      make(
        "ul",
        { class: "ono-links" },
        ...outs.map((index) =>
          make(
            "li",
            {},
            make(
              "button",
              { type: "button", class: "ono-jump", onclick: () => view.jump(index) },
              ...view.sentence(index),
              ` at ${figure(game.states[index].total)}`,
            ),
          ),
        ),
      ),
    ];
  }

  function finalWord(upTo) {
    const end = game.events.findIndex((event) => event.type === "game_end");
    return end >= 0 && end <= upTo ? [make("p", { class: "ono-final" }, ...view.sentence(end))] : [];
  }

  return { title: "Match", element, update };
}

// Where the cards of the deck are at this moment, as far as it can be known.
function deckPanel(view) {
  const { game, ui } = view;
  const tokens = Object.entries(game.rules.deck);
  const rows = tokens.map(([token, copies]) => {
    const bars = ["hand", "laid", "pile", "rest"].map((where) => make("i", { class: `is-${where}` }));
    const count = make("td", {});
    return {
      token,
      copies,
      bars,
      count,
      element: make(
        "tr",
        {},
        make(
          "th",
          { scope: "row" },
          chip(view, token),
          make("span", { class: "ono-hidden" }, nameOfCard(view, token)),
        ),
        make("td", { class: "ono-bar" }, make("div", {}, ...bars)),
        count,
      ),
    };
  });
  const legend = [
    ["hand", "in hands that are seen"],
    ["laid", "laid down"],
    ["pile", "discarded"],
    ["rest", "not seen: draw pile, hidden hands"],
  ];
  const element = make(
    "div",
    { class: "ono-panel", tabindex: "0" },
    make(
      "table",
      {},
      make("caption", {}, "Where the cards are"),
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          make("th", { scope: "col" }, "Card"),
          make("th", { scope: "col" }, "Copies"),
          make("th", { scope: "col" }, "Not seen"),
        ),
      ),
      make("tbody", {}, ...rows.map((row) => row.element)),
    ),
    make(
      "ul",
      { class: "ono-legend" },
      ...legend.map(([where, what]) => make("li", {}, make("i", { class: `is-${where}` }), what)),
    ),
  );

  function update() {
    const now = game.states[ui.index];
    const counts = { hand: {}, laid: {}, pile: {} };
    const add = (where, token) => (counts[where][token] = (counts[where][token] || 0) + 1);
    now.hands.forEach((hand, seat) => {
      if (view.sees(seat)) for (const token of hand) add(now.out.includes(seat) ? "laid" : "hand", token);
    });
    for (const token of now.pile) add("pile", token);
    for (const { token, copies, bars, count } of rows) {
      const parts = ["hand", "laid", "pile"].map((where) => counts[where][token] || 0);
      const rest = Math.max(0, copies - parts[0] - parts[1] - parts[2]);
      [...parts, rest].forEach((part, place) => (bars[place].style.flexGrow = String(part)));
      setText(count, `${rest} of ${copies}`);
    }
  }

  return { title: "Cards", element, update };
}

function findingsPanel(view) {
  const { game } = view;
  const lines = game.findings.map((finding) =>
    make(
      "li",
      {},
      finding.index === null
        ? null
        : make(
            "button",
            { type: "button", class: "ono-jump", onclick: () => view.jump(finding.index) },
            `Event ${finding.seq}`,
          ),
      finding.index === null
        ? make("span", { class: "ono-soft" }, finding.line ? `Line ${finding.line}` : "The log")
        : null,
      findingElement(view, finding),
    ),
  );
  const element = make(
    "div",
    { class: "ono-panel", tabindex: "0" },
    make("p", {}, game.payload.judged),
    make("ul", { class: "ono-found" }, ...lines),
  );
  return { title: "Findings", count: game.findings.length, element, update() {} };
}

function aboutPanel(view) {
  const { payload, last, events } = view.game;
  const { players, view: seen, viewer, started_at: started, source } = payload.game;
  const told = {
    full: "all cards are known",
    public: "what everyone could see",
    seat: `what seat ${viewer} could see`,
  };
  const line = (name, ...value) => [make("dt", {}, name), make("dd", {}, ...value)];
  const element = make(
    "div",
    { class: "ono-panel", tabindex: "0" },
    make(
      "dl",
      { class: "ono-facts" },
      ...line("Game", make("bdi", {}, shown(payload.game.game_id))),
      ...line("Known", told[seen] || seen),
      ...(started ? line("Started", shown(started)) : []),
      ...(source ? line("Recorded by", make("bdi", {}, shown(`${source.app} ${source.version}`))) : []),
      ...line("Events", `${last + 1}, numbered ${events[0].seq} to ${events[last].seq}`),
      ...line("Verdict", payload.judged),
    ),
    make("h2", {}, "Players"),
    make(
      "ol",
      { class: "ono-people", start: "0" },
      ...players.map(({ name, id, bot }) =>
        make(
          "li",
          {},
          make("bdi", {}, shown(name) || "(no name)"),
          id ? make("span", { class: "ono-soft" }, " ", make("bdi", {}, shown(id))) : null,
          bot ? make("span", { class: "ono-soft" }, " bot") : null,
        ),
      ),
    ),
    make("h2", {}, "Rules of this table"),
    make(
      "dl",
      { class: "ono-facts" },
      ...payload.house.flatMap(([what, how]) => line(what, how)),
    ),
  );
  return { title: "About", element, update() {} };
}

// --- controls --------------------------------------------------------------------------------------------

function controlsPart(view) {
  const { game, ui } = view;
  const press = (name, label, key, act, more = "") =>
    make(
      "button",
      {
        class: `ono-press ${more}`,
        type: "button",
        "aria-label": label,
        title: `${label} (${key})`,
        onclick: act,
      },
      icon(name),
    );
  const starts = game.turns.map(([first]) => first);
  const playing = press("play", "Play", "Space", () => (ui.playing ? view.pause() : view.play()), "is-play");
  const speed = make(
    "select",
    {
      class: "ono-speed",
      "aria-label": "Speed",
      title: "Speed (− +)",
      onchange: (event) => {
        ui.speed = Number(event.target.value);
      },
    },
    ...SPEEDS.map((value) => make("option", { value }, `${value}×`)),
  );
  const pauses = make(
    "button",
    {
      class: "ono-press is-toggle",
      type: "button",
      title: "Pause at eliminations, faults and ends of rounds",
      onclick: () => {
        ui.pauses = !ui.pauses;
        update();
      },
    },
    icon("key"),
    make("span", { class: "ono-word" }, "Pause at key events"),
  );
  const place = make("span", { class: "ono-place" });
  const sum = make("strong", { class: "ono-sum" }); // where the screen is low
  const element = make(
    "nav",
    { class: "ono-controls", "aria-label": "Stepping" },
    make("div", { class: "ono-where" }, sum, place),
    make(
      "div",
      { class: "ono-buttons" },
      press("first", "To the start", "Home", () => view.jump(0), "is-rare"),
      press("turnBack", "Turn back", "↑", () => view.jump(previousOf(starts, ui.index) ?? 0)),
      held(
        press("back", "Event back", "←", () => {}),
        -1,
      ),
      playing,
      held(
        press("next", "Next event", "→", () => {}),
        1,
      ),
      press("turnNext", "Next turn", "↓", () => view.jump(nextOf(starts, ui.index) ?? game.last)),
      press("last", "To the end", "End", () => view.jump(game.last), "is-rare"),
    ),
    make("div", { class: "ono-tempo" }, pauses, speed),
  );

  // A button that is held down goes on stepping.
  function held(button, by) {
    let timer = 0;
    const stop = () => {
      clearTimeout(timer);
      timer = 0;
    };
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      button.setPointerCapture(event.pointerId);
      view.step(by);
      const again = () => {
        if (!button.isConnected) return; // another state of the game has come, and nobody says that it is let go
        view.step(by);
        timer = setTimeout(again, 90);
      };
      timer = setTimeout(again, 400);
    });
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"])
      button.addEventListener(name, stop);
    button.addEventListener("click", (event) => {
      if (event.detail === 0) view.step(by); // pressed by key, not by pointer
    });
    return button;
  }

  function update() {
    const { index } = ui;
    const [, , number] = game.turns[game.turnOf[index]];
    setText(
      place,
      `Event ${game.events[index].seq}${ofLast(view)}${number === null ? "" : `, turn ${number}`}`,
    );
    setText(sum, `Total ${figure(game.states[index].total)}`);
    const name = ui.playing ? "pause" : "play";
    if (playing.dataset.icon !== name) {
      playing.dataset.icon = name;
      playing.replaceChildren(icon(name));
      playing.setAttribute("aria-label", ui.playing ? "Pause" : "Play");
    }
    speed.value = String(ui.speed);
    pauses.setAttribute("aria-pressed", String(ui.pauses));
  }

  return { element, update };
}

// --- sheets ----------------------------------------------------------------------------------------------

function sheetPart(view) {
  const title = make("strong", {});
  const body = make("div", { class: "ono-body" });
  const element = make(
    "div",
    { class: "ono-sheet", role: "dialog", "aria-label": "Details", hidden: true },
    make(
      "div",
      { class: "ono-sheet-head" },
      title,
      make(
        "button",
        {
          class: "ono-tool",
          type: "button",
          "aria-label": "Close",
          title: "Close (Esc)",
          onclick: () => close(),
        },
        icon("close"),
      ),
    ),
    body,
  );
  let opener = null;

  function open({ title: text, lines, face }, at = null) {
    opener = at;
    title.replaceChildren(...[text].flat());
    body.replaceChildren(
      ...(face ? [make("div", { class: "ono-card is-large" }, view.face(face))] : []),
      make("div", { class: "ono-lines" }, ...lines),
    );
    element.hidden = false;
    placeAt(at);
    if (at?.matches(":focus-visible")) element.querySelector("button:not(.ono-tool)")?.focus();
  }

  function placeAt(at) {
    const frame = view.element.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = element;
    const box = at?.getBoundingClientRect();
    const middle = box ? (box.left + box.right) / 2 - frame.left : frame.width / 2;
    const above = box ? box.top - frame.top - height - 10 : frame.height / 3;
    const top = above >= 8 || !box ? above : Math.min(box.bottom - frame.top + 10, frame.height - height - 8);
    element.style.left = `${Math.max(8, Math.min(frame.width - width - 8, middle - width / 2))}px`;
    element.style.top = `${Math.max(8, top)}px`;
  }

  function close() {
    if (element.hidden) return;
    const had = element.contains(element.getRootNode().activeElement);
    element.hidden = true;
    if (had) (opener?.isConnected ? opener : view.element).focus({ preventScroll: true });
  }

  return { element, open, close };
}

// A card's way: when it came, when it went.
function lifeSheet(view, id) {
  const { game, ui } = view;
  const life = game.lives.lives[id];
  const moment = (index, before, after = "") =>
    make(
      "p",
      {},
      before,
      make(
        "button",
        { type: "button", class: "ono-jump", onclick: () => view.jump(index) },
        momentName(game, index),
      ),
      after,
    );
  const came = { deal: "Dealt", draw: "Drawn" }[game.events[life.from].type] || "Held since";
  const lines = [make("p", { class: "ono-soft" }, "In the hand of ", view.name(life.seat))];
  lines.push(moment(life.from, came === "Held since" ? `${came} ` : `${came} at `));
  if (life.told !== null && life.told <= ui.index) lines.push(moment(life.told, "Unknown until "));
  if (life.to === null || (ui.hideFuture && life.to > ui.index))
    lines.push(make("p", {}, life.to === null ? "Never left the hand" : "Still in the hand"));
  else {
    const { type } = game.events[life.to];
    const went =
      { play: "Played at ", discard_four: "Discarded at ", eliminate: "Went over the limit at " }[type] ||
      "Held until ";
    lines.push(
      moment(
        life.to,
        went,
        type === "play"
          ? `: total ${figure(game.states[life.to - 1].total)} → ${figure(game.states[life.to].total)}`
          : "",
      ),
    );
  }
  const played =
    life.token === "?" && life.to !== null && life.to <= ui.index ? game.events[life.to].card : null;
  const now = game.states[ui.index];
  if (now.turn === life.seat && life.from <= ui.index && (life.to === null || life.to > ui.index)) {
    const token =
      life.token in now.legal
        ? life.token
        : life.token === "ono_99" && "discard_four" in now.legal
          ? "discard_four"
          : null;
    if (token) lines.push(make("hr", {}), ...choiceLines(view, ui.index, token));
  }
  const token = played || (life.told !== null && life.told > ui.index ? "?" : life.token);
  return {
    title: nameOfCard(view, token).replace(/^./, (letter) => letter.toUpperCase()),
    face: token,
    lines,
  };
}

function momentName(game, index) {
  const [, , number] = game.turns[game.turnOf[index]];
  const round = game.marks.round.length > 1 ? `round ${game.states[index].round}, ` : "";
  return `event ${game.events[index].seq}${number === null ? "" : ` (${round}turn ${number})`}`;
}

function choiceSheet(view, index, token) {
  const seat = view.game.states[index].turn;
  const name = token === "discard_four" ? "the four ONO 99" : nameOfCard(view, token);
  return {
    title: ["What if ", view.name(seat), ` plays ${name}?`],
    face: token === "discard_four" ? "ono_99" : token,
    lines: choiceLines(view, index, token),
  };
}

// A branch starts from the position; the record stays as it is.
function choiceLines(view, index, token) {
  const { game } = view;
  const state = game.states[index];
  const after = state.legal[token];
  const { seq } = game.events[index];
  const quoted = (text) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const log = (game.payload.options.log || "LOG").replace(/^-(?=.)/, "./-"); // else it would be an option
  const command = `ono-replay branch ${quoted(log)} what-if.ono.jsonl --seq ${seq}`;
  const lines = [
    make(
      "p",
      {},
      after === state.total
        ? `Can be played now: the total would stay ${figure(after)}.`
        : `Can be played now: the total would be ${figure(after)}.`,
    ),
  ];
  const { branch } = view.hooks();
  if (branch)
    lines.push(
      make(
        "button",
        { type: "button", class: "ono-do", onclick: () => branch({ seq, seat: state.turn, card: token }) },
        "Play on from here",
      ),
    );
  else
    lines.push(
      make("p", { class: "ono-soft" }, "To play on from here, apart from the record:"),
      make("code", {}, shown(command)),
      make(
        "button",
        { type: "button", class: "ono-do", onclick: () => view.copy(command, "Command copied") },
        "Copy the command",
      ),
    );
  return lines;
}

const HELP = [
  ["→ ←", "next event, event back"],
  ["↓ ↑", "next turn, turn back"],
  ["K", "next key event: elimination, pair card, four ONO 99, fault, end"],
  ["E  P  X", "next elimination, pair card, fault"],
  ["Shift", "with K, E, P or X: the one before"],
  ["Page ↓ ↑", "next round, round back"],
  ["Home End", "start, end"],
  ["B", "back to where you jumped from"],
  ["Space", "play, pause"],
  ["+ −", "faster, slower"],
  ["0 … 9", "see with the eyes of that seat"],
  ["S", "the next seat's eyes"],
  ["A  H", "all hands, no hands"],
  ["U", "hide what comes later"],
  ["F", "turn the table"],
  ["C", "copy a link to this moment"],
  ["D", "light or dark"],
  ["? Esc", "this help, close"],
];

function helpPart(themed) {
  const list = make(
    "dl",
    {},
    ...HELP.filter(([key]) => !(themed && key === "D")).flatMap(([key, what]) => [
      make("dt", {}, make("kbd", {}, key)),
      make("dd", {}, what),
    ]),
  );
  const element = make(
    "dialog",
    { class: "ono-help", "aria-label": "Keys and help" },
    make(
      "div",
      { class: "ono-sheet-head" },
      make("strong", {}, "Keys"),
      make(
        "button",
        { class: "ono-tool", type: "button", "aria-label": "Close", onclick: () => element.close() },
        icon("close"),
      ),
    ),
    list,
    make(
      "p",
      { class: "ono-soft" },
      "Click a card to see when it came and when it went. Drag along the curve, or swipe over the table, to move. Crosses on the curve are eliminations, bars below it are pair chains, triangles are faults.",
    ),
  );
  element.addEventListener("click", (event) => {
    if (event.target === element) element.close();
  });
  return {
    element,
    open: () => element.showModal(),
    toggle: () => (element.open ? element.close() : element.showModal()),
  };
}

// --- ways in ---------------------------------------------------------------------------------------------

// The page of the HTML export: the moment is kept in the address, as #game=…&event=…&seat=…
export function openPage(root, payload) {
  const read = () => {
    const asked = new URLSearchParams(location.hash.slice(1));
    if (asked.has("game") && asked.get("game") !== payload.game.game_id) return null;
    const number = (name) => (/^\d{1,9}$/.test(asked.get(name) ?? "") ? Number(asked.get(name)) : undefined);
    return { event: number("event"), seat: number("seat") };
  };
  const link = ({ event, seat }) => {
    const asked = new URLSearchParams({ game: payload.game.game_id, event });
    if (seat !== null) asked.set("seat", seat);
    return `${location.href.split("#")[0]}#${asked}`;
  };
  const viewer = mountViewer(root, payload, {
    keys: document,
    link,
    onMoment: (moment) => history.replaceState(null, "", link(moment)),
  });
  const moment = read();
  if (moment) viewer.goTo(moment);
  window.addEventListener("hashchange", () => {
    const next = read();
    if (next) viewer.goTo(next);
  });
  return viewer;
}

// st.components.v2 calls this again on every change; data is {payload, branch}.
export default function ({ parentElement, data, setStateValue, setTriggerValue }) {
  let root = parentElement.querySelector(".ono-root");
  if (!root) {
    root = make("div", { class: "ono-root" });
    parentElement.append(root);
  }
  const host = parentElement.host || parentElement;
  const ground = getComputedStyle(host).getPropertyValue("--st-background-color").trim();
  const viewer = mountViewer(root, data.payload, {
    theme: ground ? (isDark(ground) ? "dark" : "light") : undefined,
    unclaimed: true,
    link: ({ event, seat }) => {
      const address = new URL(location.href);
      address.searchParams.set("game", data.payload.game.game_id);
      address.searchParams.set("event", event);
      if (seat === null) address.searchParams.delete("seat");
      else address.searchParams.set("seat", seat);
      return address.href;
    },
    onMoment: (moment) => {
      if (Date.now() - (root.chosenAt ?? 0) < PATIENCE) return; // the page is about to show the branch
      tellInTurn(root, () => {
        root.told = String([moment.event, moment.seat]);
        root.toldAt = Date.now();
        setStateValue?.("moment", moment);
      });
    },
    branch:
      data.branch && setTriggerValue
        ? (choice) => {
            root.chosenAt = Date.now();
            tellInTurn(root, () => setTriggerValue("branch", choice));
          }
        : undefined,
  });
  fillWindow(root);
  if (!root.fills) {
    root.fills = () => fillWindow(root);
    addEventListener("resize", root.fills);
    setTimeout(root.fills, 300); // what stands above has found its place by then
  }
  // Called before each further run, too: only what has really gone is taken down.
  return () =>
    setTimeout(() => {
      if (root.isConnected) return;
      viewer.destroy();
      removeEventListener("resize", root.fills);
    }, 0);
}

// The page keeps the moment in its address, and what is told goes there with the address of that time. So it waits
// until the moment told before stands in it: else the page takes the old address for a wish to go back. Of several
// that wait only the last is told.
function tellInTurn(root, tell) {
  clearTimeout(root.waits);
  const asked = new URLSearchParams(location.search);
  const arrived = String([asked.get("event"), asked.get("seat")]) === root.told;
  if (root.told && !arrived && Date.now() - root.toldAt < PATIENCE)
    root.waits = setTimeout(() => tellInTurn(root, tell), 40);
  else if (root.isConnected) tell();
}

// As high as the window leaves room for below what stands above, with the controls in sight, and with a row of
// buttons after it where there is room for that.
function fillWindow(root) {
  if (!root.isConnected) return;
  let { top } = root.getBoundingClientRect();
  for (let above = root; above; above = above.parentNode || above.host) top += above.scrollTop || 0;
  if (top > innerHeight / 2) return root.style.removeProperty("--ono-height");
  const free = innerHeight - top;
  const after = innerWidth > 720 && free - ROW >= SHORT - 120 ? ROW : 8;
  root.style.setProperty("--ono-height", `max(${LEAST}px, calc(100dvh - ${Math.round(top + after)}px))`);
}

function isDark(color) {
  const probe = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(color);
  const parts = probe
    ? probe.slice(1).map((part) => parseInt(part, 16))
    : (color.match(/\d+(\.\d+)?/g) || [255, 255, 255]).map(Number);
  return 0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2] < 128;
}
