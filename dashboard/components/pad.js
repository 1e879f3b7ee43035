// The pad of the page Record: big buttons that enter a game at the table.
//
//   export default    what st.components.v2 calls, again on every change
//
// The pad knows no rules: what can be played, every sentence and every total comes from the server (dashboard/
// table_view.py). An entry stays in this browser's storage, with an id of its own, until the server has said that it
// is on disk; it may be sent any number of times and is taken once. Text becomes text nodes and nothing else.
//
// Formatted by prettier, 110 columns.

const LOOK_EVERY = 2000; // milliseconds between two looks at what another page, or nobody, has written
const HIDDEN = 5; // times as long where the page is not seen, to say that it is still there
const RETRY = 1000;
const PATIENCE = 8000; // after that the link counts as down
const MOST_OPEN = 2; // recordings that are offered at once
const SLOW = 350; // an entry that takes longer is shown as unsaved
const SVG = "http://www.w3.org/2000/svg";
const HERE = "ono-pad-recording";
const QUEUE = "ono-pad-queue:";
const TAB = "ono-pad-tab";
const BROWSER = "ono-pad-browser";
const ORDER = "ono-pad-order";

// --- small things --------------------------------------------------------------------------------------

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function icon(path) {
  return draw(
    "svg",
    { viewBox: "0 0 24 24", class: "pad-icon", "aria-hidden": "true" },
    draw("path", { d: path }),
  );
}

const ICONS = {
  undo: "M9 5 4 10l5 5M4 10h10a6 6 0 0 1 0 12h-3",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  out: "M6 6l12 12M18 6 6 18",
  clockwise: "M20 12a8 8 0 1 1-3-6.200M17 2v4h-4",
  counter: "M4 12a8 8 0 1 0 3-6.200M7 2v4h4",
  saved: "M5 13l4 4L19 7",
  link: "M12 8v5M12 17h.01M12 3 2 20h20z",
};

function random() {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function plural(number, one, many = `${one}s`) {
  return `${number} ${number === 1 ? one : many}`;
}

function ended(sentence) {
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`;
}

function dismissMessage() {
  for (const dialog of document.querySelectorAll('[data-testid="stDialog"]'))
    if (/^connection error/i.test(dialog.textContent)) dialog.querySelector('[aria-label="Close"]')?.click();
}

// Storage that may be switched off, or full; then things are kept for as long as the page is open.
function keeper(storage) {
  const kept = new Map(); // what the storage has not taken
  return {
    get(name) {
      if (kept.has(name)) return kept.get(name);
      try {
        return storage().getItem(name);
      } catch {
        return null;
      }
    },
    set(name, value) {
      try {
        if (value === null) storage().removeItem(name);
        else storage().setItem(name, value);
        kept.delete(name);
      } catch {
        kept.set(name, value);
      }
    },
  };
}

const lasting = keeper(() => localStorage);
const ofTab = keeper(() => sessionStorage);

// Entries into a recording that are not on disk yet.
function entriesOf(recording) {
  return read(lasting.get(QUEUE + recording) || "{}").entries ?? [];
}

// Entries that wait, the first of which is entered after an event.
function entered([first, ...rest], after) {
  return first ? [{ ...first, after }, ...rest] : [];
}

class NoLink extends Error {}
class Late extends NoLink {} // an answer that nobody waits for any more

// What a page asks that changes something is numbered, across a reload, too: what was given up and comes late is known
// by it. By the clock, as a duplicated tab has the same name at first; never backwards, as a clock may be set.
function nextOrder() {
  const order = Math.max(Number(ofTab.get(ORDER) || 0) + 1, Date.now());
  ofTab.set(ORDER, String(order));
  return order;
}

// Ask the server; what it refuses comes back with its status, a broken link is thrown.
async function ask(name, body) {
  const gone = new AbortController();
  const timer = setTimeout(() => gone.abort(), PATIENCE);
  let answer;
  try {
    answer = await fetch(`/table/${name}`, {
      method: body ? "POST" : "GET",
      headers: body ? { "Content-Type": "application/json" } : {},
      body: body ? JSON.stringify(body) : undefined,
      signal: gone.signal,
      cache: "no-store",
      credentials: "same-origin",
    });
    const text = await answer.text();
    return { status: answer.status, ...read(text) };
  } catch {
    throw new NoLink();
  } finally {
    clearTimeout(timer);
  }
}

function read(text) {
  try {
    const told = JSON.parse(text);
    return typeof told === "object" && told !== null ? told : {};
  } catch {
    return {};
  }
}

// --- the pad -------------------------------------------------------------------------------------------

class Pad {
  constructor(root) {
    this.root = root;
    this.tab = ofTab.get(TAB) || random();
    ofTab.set(TAB, this.tab);
    this.browser = lasting.get(BROWSER) || random();
    lasting.set(BROWSER, this.browser);
    this.recording = ofTab.get(HERE) || lasting.get(HERE);
    this.told = null; // the last answer with a view
    this.faces = {};
    this.link = true;
    this.sending = null; // the entries on their way
    this.looking = null; // the look at what is written that is not answered yet
    this.acting = null; // what was pressed that is not answered yet
    this.trouble = ""; // why nothing goes on, in words
    this.torn = ""; // the file into which the server put a torn last line
    this.finished = null;
    this.listing = null;
    this.setup = null;
    this.tried = new Set();
    this.stopped = false;
    this.answering = false; // a question about the first entry is on the screen
    this.lookedAfter = "";
    this.takes = 0; // how often a view was taken
    this.dialog = make("dialog", {
      class: "pad-sheet",
      oncancel: (event) => this.cancelled(event),
      onclose: () => this.closed(),
    });
    this.body = make("div");
    root.append(this.body, this.dialog);
    root.addEventListener("keydown", (event) => event.stopPropagation());
    this.whenOnline = () => this.look();
    this.whenStored = (event) => event.key?.startsWith(QUEUE) && this.render();
    addEventListener("online", this.whenOnline);
    addEventListener("storage", this.whenStored);
    this.whenLeft = () => this.goodbye();
    addEventListener("pagehide", this.whenLeft);
    // Streamlit's message about a broken link would make the page inert; what is entered here goes on without one.
    this.watcher = new MutationObserver(() => dismissMessage());
    this.watcher.observe(document.body, { childList: true });
    dismissMessage();
    this.parted();
    let unseen = 0;
    this.timer = setInterval(() => {
      unseen = document.hidden ? (unseen + 1) % HIDDEN : 0;
      if (!unseen) this.look();
    }, LOOK_EVERY);
    this.render();
    this.begin();
  }

  destroy() {
    this.goodbye();
    this.stopped = true;
    clearInterval(this.timer);
    clearTimeout(this.again);
    this.watcher.disconnect();
    removeEventListener("online", this.whenOnline);
    removeEventListener("storage", this.whenStored);
    removeEventListener("pagehide", this.whenLeft);
    this.channel?.close();
  }

  // Who this page is to the server: what comes before the dash is the same in all pages of this browser.
  get writer() {
    return `${this.browser}-${this.tab}`;
  }

  // Say that this page goes. One that is loaded anew is back at once.
  goodbye() {
    if (!this.told?.mine || this.finished) return;
    fetch("/table/away", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ recording: this.recording, writer: this.writer }),
      credentials: "same-origin",
      keepalive: true,
    }).catch(() => {});
  }

  // A duplicated tab has the storage of the first; it gets a name of its own.
  parted() {
    if (typeof BroadcastChannel === "undefined") return;
    const self = random();
    this.channel = new BroadcastChannel("ono-pad");
    this.channel.onmessage = ({ data }) => {
      if (data?.tab !== this.tab || data.self === self) return;
      if (data.kind === "here")
        this.channel.postMessage({ kind: "taken", tab: this.tab, self, to: data.self });
      else if (data.kind === "taken" && data.to === self) {
        this.tab = random();
        ofTab.set(TAB, this.tab);
        if (this.told) this.told = { ...this.told, mine: false };
        this.render();
        this.look();
      }
    };
    this.channel.postMessage({ kind: "here", tab: this.tab, self });
  }

  // --- entries that are not on disk yet

  get queue() {
    return this.recording ? entriesOf(this.recording) : [];
  }

  set queue(entries) {
    if (this.recording)
      lasting.set(QUEUE + this.recording, entries.length ? JSON.stringify({ entries }) : null);
  }

  enter(text, say, adds = null) {
    if (!this.told?.mine || this.acting) return;
    navigator.vibrate?.(8);
    // Of an entry behind another it is known once that one is saved after what it is entered.
    const after = this.queue.length ? null : this.told.view.seq;
    this.queue = [...this.queue, { id: random(), text, say, adds, after, at: Date.now() }];
    this.pump();
    setTimeout(() => this.stopped || this.render(), SLOW + 10);
    this.render();
  }

  undo() {
    const entries = this.queue;
    const last = entries.at(-1);
    // What was never sent is nowhere else; what was may be on disk.
    if (last && !this.tried.has(last.id)) {
      this.queue = entries.slice(0, -1);
      this.render();
    } else this.enter("undo", "Undo");
  }

  // Another tab shows the same entries: those that were asked about are named.
  drop(entries) {
    const ids = entries.map((one) => one.id);
    const [first] = this.queue;
    const left = this.queue.filter((one) => !ids.includes(one.id));
    this.queue = first && ids.includes(first.id) ? entered(left, first.after ?? null) : left;
    this.answering = false;
    this.close();
    this.render();
    this.pump();
  }

  amend(entry, change) {
    this.queue = this.queue.map((one) => (one.id === entry.id ? { ...one, ...change } : one));
    this.answering = false;
    this.close();
    this.pump();
  }

  pump() {
    if (this.sending || this.acting || this.answering || this.stopped || this.finished) return;
    if (!this.recording) return;
    this.sending = this.send().finally(() => {
      this.sending = null;
      this.render();
      if (this.queue.length && !this.answering && !this.finished && this.told?.mine) this.later();
    });
  }

  async send() {
    try {
      let entry;
      while ((entry = this.queue[0]) && this.told?.mine && !this.stopped) {
        this.tried.add(entry.id);
        const { id, text, sure, after } = entry;
        const answer = await this.request("enter", { id, text, sure: sure === true, after: after ?? null });
        if (answer.view) {
          const rest = this.queue.filter((one) => one.id !== id);
          this.queue = entered(rest, answer.view.seq);
          this.take(answer);
        } else if (answer.ask || answer.refused || answer.status === 400) {
          // What is not understood now never will be.
          if (answer.status === 400)
            answer.refused = { message: answer.error || "It is not understood.", legal: [], may_stand: false, code: "" };
          this.answering = true;
          this.render();
          this.showQuestion(entry, answer);
          return;
        } else return;
      }
    } catch (error) {
      if (!(error instanceof NoLink)) throw error;
    }
  }

  later() {
    clearTimeout(this.again);
    this.again = setTimeout(() => this.pump(), RETRY);
  }

  // Ask about this recording; what speaks against it is shown.
  async request(name, more = {}) {
    const { recording } = this;
    let answer;
    try {
      answer = await ask(name, { recording, writer: this.writer, order: nextOrder(), ...more });
    } catch (error) {
      this.link = false;
      this.render();
      throw error;
    }
    if (this.stopped || recording !== this.recording || answer.status === 425) throw new Late();
    this.link = true;
    this.unpaired = answer.status === 403;
    // That the game can be looked at says nothing about what could not be written.
    if (answer.status === 200) this.trouble = name === "look" && this.queue.length ? this.trouble : "";
    else if (answer.mine === false) {
      this.told = this.told && { ...this.told, mine: false };
      this.trouble = "";
    } else if (answer.status === 410) {
      this.finished = { game: this.told?.view.game, headline: this.told?.view.headline };
      this.trouble = "";
    } else if (!this.unpaired)
      this.trouble = answer.error || "The server could not do this. Nothing unsaved is lost.";
    return answer;
  }

  take(answer) {
    this.takes += 1;
    if (answer.faces) this.faces = answer.faces;
    const before = this.told?.view;
    const { recording, mine, silent, view } = answer;
    this.told = { recording, mine, silent, view };
    this.render();
    // At the end of a round the table counts its points.
    const over = answer.view.points && `${answer.view.round}:${answer.view.phase}`;
    if (
      over &&
      before &&
      answer.mine &&
      before.round + before.phase !== answer.view.round + answer.view.phase
    )
      if (this.lookedAfter !== over && !this.dialog.open) {
        this.lookedAfter = over;
        this.showPoints();
      }
  }

  // --- which recording

  async begin() {
    if (this.recording) await this.open(false);
    if (!this.recording) await this.list();
  }

  async list() {
    try {
      const answer = await ask("listing");
      this.link = true;
      this.unpaired = answer.status === 403;
      if (answer.open) {
        this.listing = answer;
        this.setup ??= { players: [...answer.last], edition: answer.edition, rules: "", dealer: "" };
      }
    } catch (error) {
      if (!(error instanceof NoLink)) throw error;
      this.link = false;
    }
    if (!this.recording) this.render();
  }

  async open(take) {
    try {
      const answer = await this.request("open", { take });
      if (answer.torn) this.torn = answer.torn;
      if (answer.view) {
        this.take(answer);
        this.pump();
      } else if (answer.finished) this.finished = answer;
      else if (answer.status === 404) this.forget();
    } catch (error) {
      if (!(error instanceof NoLink)) throw error;
    }
    this.render();
  }

  goTo(recording) {
    return this.alone(() => {
      this.here(recording);
      this.told = null;
      this.answering = false;
      this.render();
      return this.open(false);
    });
  }

  // Be at a recording, or at none; so is whoever loads the page anew.
  here(recording) {
    this.recording = recording;
    ofTab.set(HERE, recording);
    lasting.set(HERE, recording);
    this.finished = null;
    this.trouble = "";
  }

  forget() {
    // What came after the end is in no log, and is told until then.
    if (this.finished) this.queue = [];
    this.acting = null; // what is still asked of this game stands in the way of no other
    this.here(null);
    this.told = null;
    this.answering = false;
    this.setup = null;
    this.listing = null;
    this.close();
    this.render();
    this.list();
  }

  look() {
    if (this.looking || this.sending || this.acting || this.stopped) return;
    this.looking = this.lookUp().finally(() => {
      this.looking = null;
      this.render();
    });
    return this.looking;
  }

  async lookUp() {
    try {
      if (!this.recording) {
        if (!this.listing || !this.link) await this.list();
      } else if (!this.told) await this.open(false);
      else if (!this.finished) {
        const wasMine = this.told.mine;
        const { takes } = this;
        const answer = await this.request("look");
        // What was answered to an entry meanwhile is newer.
        if (answer.view && takes === this.takes) this.take(answer);
        // The page that wrote is gone from this browser: this one goes on.
        if (answer.kin) await this.open(false);
        // The server was started anew, or this page was long silent: whoever recorded goes on. Or the game is over.
        else if (answer.closed && !answer.left && (wasMine || this.told.view.can.finish)) await this.open(false);
        else if (answer.status === 404) this.forget();
        else if (answer.closed) this.told = { ...this.told, mine: false };
        this.nobody = answer.closed === true && !this.told?.mine;
        this.pump();
      }
    } catch (error) {
      if (!(error instanceof NoLink)) throw error;
    }
  }

  // What was pressed is done once, however often it is pressed before it is answered, and nothing else is asked
  // meanwhile: a look or an entry that came after a recording was let go of would take it up again.
  async alone(press) {
    if (this.acting) return;
    const act = (this.acting = {});
    try {
      while (this.looking || this.sending) await (this.looking ?? this.sending);
      await press();
    } catch (error) {
      if (!(error instanceof NoLink)) throw error;
      if (!(error instanceof Late)) this.link = false;
    } finally {
      if (this.acting === act) this.acting = null;
      this.render();
      this.pump();
    }
  }

  wish() {
    const { players, edition, rules, dealer } = this.setup;
    return { writer: this.writer, players, edition, rules, dealer: dealer === "" ? null : Number(dealer) };
  }

  start(refused) {
    return this.alone(async () => {
      // The same game, asked for again because no answer came, is begun once.
      const wish = this.wish();
      const told = JSON.stringify(wish);
      if (this.begun?.told !== told) this.begun = { told, id: random() };
      const answer = await ask("begin", { ...wish, id: this.begun.id });
      if (this.stopped) return;
      if (!answer.view) {
        refused(answer.error || "The game could not be begun.");
        return;
      }
      this.begun = null;
      this.here(answer.recording);
      this.setup = null;
      this.take(answer);
    });
  }

  finish() {
    return this.alone(async () => {
      if (this.queue.length) return;
      if (this.told.view.can.end) {
        const answer = await this.request("enter", { id: random(), text: "end" });
        if (!answer.view) return this.showUnfinished(answer);
        this.take(answer);
      }
      const answer = await this.request("finish");
      if (answer.finished) this.finished = answer;
      else this.showUnfinished(answer);
    });
  }

  leave() {
    return this.alone(async () => {
      // What was under way may have become a question, which is answered first.
      if (this.answering) return;
      try {
        if (this.told?.mine) await this.request("leave");
      } catch (error) {
        if (!(error instanceof NoLink) || error instanceof Late) throw error;
        this.showHeld();
        return;
      }
      this.forget();
    });
  }

  // Without a link nobody else can be told that the game is free.
  showHeld() {
    this.show(
      "Not left yet",
      make("p", {}, "No link to the computer: there the game is still held for this page, and nobody else can go on with it."),
      this.choices(
        ["Try again", () => this.leave(), "pad-main"],
        ["Stop here all the same", () => this.forget(), "pad-plain"],
      ),
      this.back(),
    );
  }

  keep() {
    return this.alone(async () => {
      const answer = await this.request("keep");
      if (answer.kept) this.finished = { ...this.finished, kept: answer.kept };
    });
  }

  // --- what is shown

  render() {
    if (this.stopped) return;
    const mode = !this.recording ? "setup" : this.finished ? "finished" : this.told ? "table" : "waiting";
    // It is built anew only where it tells something else: who is about to press a button finds it in its place.
    const shown = {
      setup: () => this.listing?.open,
      finished: () => [this.finished, this.queue],
      table: () => null,
      waiting: () => [this.trouble, this.queue],
    }[mode]();
    const told = JSON.stringify([mode, shown]);
    if (told !== this.shown) {
      this.shown = told;
      this.parts = null;
      const build = { setup: setupPart, finished: finishedPart, table: tablePart, waiting: waitingPart }[mode];
      this.body.replaceChildren(build(this));
    }
    if (this.parts) updateTable(this, this.parts);
    else tellNotes(this, this.body.querySelector(".pad-notes"));
  }

  // --- sheets

  show(title, ...content) {
    const heading = make("h2", { id: "pad-sheet-title", tabindex: "-1" }, title);
    this.dialog.replaceChildren(heading, ...content.flat().filter(Boolean));
    this.dialog.setAttribute("aria-labelledby", "pad-sheet-title");
    if (!this.dialog.open) this.dialog.showModal();
    heading.focus();
  }

  close() {
    if (this.dialog.open) this.dialog.close();
  }

  cancelled(event) {
    // What waits for an answer can not be waved away: it would stand in the way of all entries after it.
    if (this.answering) event.preventDefault();
  }

  closed() {
    // A browser lets that be prevented so often only, and a phone's way back may not ask.
    if (this.answering && !this.dialog.open && this.dialog.isConnected) this.dialog.showModal();
  }

  back(text = "Back") {
    return make("button", { type: "button", class: "pad-plain", onclick: () => this.close() }, text);
  }

  showQuestion(entry, answer) {
    const all = this.queue;
    const waiting = all.length - 1;
    const more =
      waiting > 0
        ? make("p", {}, `${plural(waiting, "entry after it waits", "entries after it wait")}.`)
        : null;
    const dropAll =
      waiting > 0
        ? make(
            "button",
            { type: "button", class: "pad-plain", onclick: () => this.drop(all) },
            `Take all ${waiting + 1} out`,
          )
        : null;
    if (answer.ask)
      this.show(
        entry.say,
        make("p", {}, answer.ask),
        more,
        this.choices(
          [
            "Yes",
            () => this.amend(entry, answer.since === undefined ? { sure: true } : { after: answer.since }),
            "pad-main",
          ],
          ["No, not entered", () => this.drop([entry]), "pad-plain"],
        ),
        dropAll,
      );
    else {
      const { message, legal, may_stand: may, code } = answer.refused;
      this.show(
        `Not entered: ${entry.say}`,
        make("p", {}, ended(message)),
        legal.length
          ? make("p", { class: "pad-soft" }, `Could have been played: ${legal.join(", ")}.`)
          : null,
        more,
        this.choices(
          ["Take it out", () => this.drop([entry]), "pad-main"],
          ...(may ? [["It happened: let it stand", () => this.stand(entry), "pad-plain"]] : []),
        ),
        dropAll,
        make("p", { class: "pad-soft" }, code),
      );
    }
  }

  // That the game goes on after all is rare: somebody else has entered something meanwhile.
  showUnfinished({ ask: question, refused }) {
    const why = refused ? ended(refused.message) : question;
    if (why) this.show("Not finished", make("p", {}, why), this.back());
  }

  stand(entry) {
    // Another entry than the one refused, so it has an id of its own.
    this.amend(entry, { id: random(), text: `!${entry.text}`, sure: true });
  }

  choices(...all) {
    return make(
      "div",
      { class: "pad-choices" },
      ...all.map(([text, onclick, look]) => make("button", { type: "button", class: look, onclick }, text)),
    );
  }

  showMore() {
    const { view } = this.told;
    const { can } = view;
    const playing = view.phase === "playing";
    const items = [
      [can.redo, "Redo", () => this.say("redo", "Redo")],
      [playing, "Another total was announced", () => this.showNumber()],
      [can.four, "Four ONO 99 are discarded", () => this.say("o4", "Four ONO 99")],
      [can.forfeit, "The last draw is forfeited", () => this.say("f", "Draw forfeited")],
      [playing, "Somebody else played", () => this.showBy()],
      [playing, "A player leaves, or is timed out", () => this.showLeft()],
      [can.starter !== null, "Who starts", () => this.showStarter()],
      [view.points !== null, "Points of the last round", () => this.showPoints()],
      [can.rest, "Nobody can play any more", () => this.say("end", "Nobody can play")],
      [true, "Write a comment", () => this.showComment()],
      [true, "What happened so far", () => this.showLines()],
      [!can.finish, "Break the game off", () => this.say("abandon", "Break off")],
      [true, "Leave it open and stop here", () => this.showLeave()],
    ];
    this.show(
      "More",
      make(
        "div",
        { class: "pad-list" },
        ...items
          .filter(([there]) => there)
          .map(([, text, onclick]) => make("button", { type: "button", class: "pad-plain", onclick }, text)),
      ),
      this.back(),
    );
  }

  say(text, say) {
    this.close();
    this.enter(text, say);
  }

  showNumber() {
    const input = make("input", {
      id: "pad-number",
      inputmode: "numeric",
      pattern: "-?[0-9]{1,4}",
      maxlength: 5,
      autocomplete: "off",
      required: true,
    });
    const form = this.form(
      "Enter",
      () => this.say(`= ${input.value.trim()}`, `Total ${input.value.trim()}`),
      [make("label", { for: "pad-number" }, "The total that was said for the last card"), input],
    );
    this.show("Another total was announced", form, this.back());
    input.focus();
  }

  form(text, done, content) {
    return make(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          done();
        },
      },
      content,
      make("button", { class: "pad-main" }, text),
    );
  }

  players(choose, fits = () => true) {
    return make(
      "div",
      { class: "pad-list" },
      ...this.told.view.players.map((player, seat) =>
        fits(player, seat)
          ? make(
              "button",
              { type: "button", class: "pad-plain", onclick: () => choose(seat, player) },
              player.name,
            )
          : null,
      ),
    );
  }

  showBy() {
    const { turn } = this.told.view;
    const choose = (seat, player) =>
      this.show(
        `${player.name} played`,
        cardGrid(this, (card) => this.say(`${card.token} by ${seat}`, `${card.name} by ${player.name}`)),
        this.back(),
      );
    this.show(
      "Who played?",
      this.players(choose, (player, seat) => seat !== turn && !player.gone),
      this.back(),
    );
  }

  showLeft() {
    const choose = (seat, player) =>
      this.show(
        player.name,
        this.choices(
          ["Leaves the game", () => this.say(`left ${seat}`, `${player.name} leaves`), "pad-plain"],
          ["Is timed out", () => this.say(`timeout ${seat}`, `${player.name} timed out`), "pad-plain"],
        ),
        this.back(),
      );
    this.show(
      "Who?",
      this.players(choose, (player) => !player.out && !player.gone),
      this.back(),
    );
  }

  showStarter() {
    const choose = (seat, player) => this.say(`starter ${seat}`, `${player.name} starts`);
    this.show(
      "Who starts the round?",
      this.players(choose, (player) => !player.gone),
      this.back(),
    );
  }

  showComment() {
    const input = make("input", { id: "pad-comment", maxlength: 500, required: true, autocomplete: "off" });
    const form = this.form("Write it down", () => this.say(`c ${input.value}`, "Comment"), [
      make("label", { for: "pad-comment" }, "Comment"),
      input,
    ]);
    this.show("A comment", form, this.back());
    input.focus();
  }

  showLines() {
    const lines = this.told.view.lines;
    this.show(
      "What happened, newest first",
      lines.length
        ? make("ol", { class: "pad-lines" }, ...lines.map((line) => make("li", {}, line)))
        : make("p", {}, "Nothing yet."),
      this.back(),
    );
  }

  showLeave() {
    this.show(
      "Stop here?",
      make(
        "p",
        {},
        "The game stays open. It can be gone on with here, or with `ono-replay record --resume`.",
      ),
      this.queue.length
        ? make(
            "p",
            {},
            `${plural(this.queue.length, "entry is", "entries are")} not saved yet: kept in this browser, and sent when the game is gone on with here.`,
          )
        : null,
      this.choices(["Stop here", () => this.leave(), "pad-main"]),
      this.back(),
    );
  }

  // The hand that is laid down: cards are tapped, the rest stays unknown.
  showOut() {
    const { view } = this.told;
    const name = view.players[view.turn].name;
    const laid = [];
    let bust = null;
    let asksBust = false;
    const list = make("p", { class: "pad-laid", "aria-live": "polite" });
    const main = make("button", { type: "button", class: "pad-main", onclick: () => done() });
    const undo = make(
      "button",
      {
        type: "button",
        class: "pad-plain",
        onclick: () => (laid.length ? laid.pop() : (bust = null), update()),
      },
      "Take the last card back",
    );
    const toggle = view.can.bust
      ? make(
          "button",
          {
            type: "button",
            class: "pad-plain",
            "aria-pressed": "false",
            onclick: () => ((asksBust = !asksBust), update()),
          },
          "The next card is a bust card",
        )
      : null;
    const done = () => {
      const room = view.hand - (bust ? 1 : 0);
      const hand = laid.length
        ? [...laid, ...Array(Math.max(0, room - laid.length)).fill({ token: "?" })]
        : [];
      const tokens = hand.map((card) => card.token).join(" ");
      this.say(`${bust ? `bust ${bust.token}` : "out"} ${tokens}`.trim(), `${name} is out`);
    };
    const update = () => {
      const told = laid.map((card) => card.name).join(", ");
      list.textContent =
        [bust ? `Bust card ${bust.name}.` : "", told].filter(Boolean).join(" ") || "No card told yet.";
      main.textContent = laid.length || bust ? `${name} is out` : `${name} is out, hand not shown`;
      undo.disabled = !laid.length && !bust;
      toggle?.setAttribute("aria-pressed", String(asksBust));
    };
    const add = (card) => {
      if (asksBust) [bust, asksBust] = [card, false];
      else if (laid.length < view.hand - (bust ? 1 : 0)) laid.push(card);
      update();
    };
    update();
    this.show(
      `${name} can’t play`,
      make("p", {}, `Tap the ${plural(view.hand, "card")} laid down, as far as you saw them.`),
      list,
      cardGrid(this, add, "is-small"),
      toggle,
      make("div", { class: "pad-choices" }, main, undo, this.back()),
    );
  }

  showPoints() {
    const points = this.told?.view.points;
    if (!points) return;
    const inputs = points.map((one) =>
      make("input", {
        id: `pad-points-${one.seat}`,
        type: "number",
        inputmode: "numeric",
        min: one.least,
        max: one.most,
        value: one.least === one.most ? one.least : (one.told ?? ""),
        readonly: one.least === one.most,
        required: true,
      }),
    );
    const rows = points.map((one, place) =>
      make(
        "div",
        { class: "pad-row" },
        make(
          "label",
          { for: `pad-points-${one.seat}` },
          one.name,
          make(
            "span",
            { class: "pad-soft" },
            one.cards ? ` ${plural(one.cards, "card")}, at least ${one.least}` : "",
          ),
        ),
        inputs[place],
      ),
    );
    const form = this.form(
      "Write the points down",
      () => this.say(`points ${inputs.map((input) => input.value).join(" ")}`, "Points"),
      rows,
    );
    this.show(
      "The round is over",
      make("p", {}, "The points of this round: the cards left in each hand, with 25 for being out."),
      form,
      this.back("Not now"),
    );
  }
}

// --- parts of the page -----------------------------------------------------------------------------------

function face(pad, token) {
  const shapes = (pad.faces[token] || pad.faces["?"] || []).map(([tag, attributes, text]) =>
    draw(tag, attributes, ...(text === undefined || text === null ? [] : [text])),
  );
  return draw("svg", { viewBox: "0 0 100 140", class: "pad-face", "aria-hidden": "true" }, ...shapes);
}

function cardGrid(pad, choose, look = "") {
  return make(
    "div",
    { class: `pad-cards ${look}` },
    ...pad.told.view.cards.map((card) =>
      make(
        "button",
        {
          type: "button",
          class: "pad-card",
          "data-token": card.token,
          "aria-label": card.name,
          onclick: () => choose(card),
        },
        face(pad, card.token),
      ),
    ),
  );
}

function notes(pad) {
  const found = [];
  const note = (look, text, ...acts) =>
    found.push(
      make(
        "div",
        { class: `pad-note ${look}`, role: "status" },
        icon(ICONS.link),
        make("p", {}, text),
        ...acts,
      ),
    );
  const button = (text, onclick) => make("button", { type: "button", class: "pad-plain", onclick }, text);
  if (pad.unpaired)
    note(
      "is-bad",
      "This browser is no longer paired. Scan the newest code on the computer; what is unsaved stays here and is sent then.",
      make("a", { class: "pad-plain", href: "/pair" }, "Pair"),
    );
  else if (!pad.link) {
    const how = !pad.told
      ? "It is looked for again and again."
      : pad.told.mine
        ? "Go on: entries wait in this page."
        : "Nothing new is seen until it is back.";
    note("is-bad", `No link to the computer. ${how}`);
  } else if (pad.told && !pad.told.mine && !pad.finished)
    note(
      "",
      pad.nobody
        ? "Nobody records this game here at the moment; another program may have gone on with it."
        : pad.told.silent
          ? "The page that recorded this game is not heard any more."
          : "Another page records this game. Here you see what it writes.",
      button("Record here", () => pad.alone(() => pad.open(true))),
      button("Other games", () => pad.leave()),
    );
  if (pad.trouble) note("is-bad", pad.trouble, pad.told ? null : button("Other games", () => pad.leave()));
  if (pad.torn) {
    const seen = () => {
      pad.torn = "";
      pad.render();
    };
    const told = `The last line of the log was torn and was put into ${pad.torn}. Nothing that was saved is lost.`;
    note("", told, button("Close", seen));
  }
  return found;
}

// Notes are said aloud and may hold a button: they are made anew only where they say something else.
function tellNotes(pad, element) {
  const { unpaired, link, told, finished, nobody, trouble, torn } = pad;
  const what = [unpaired, link, told?.mine, told?.silent, nobody, finished !== null, trouble, torn];
  put(element, what, () => notes(pad));
  return element;
}

function notesPart(pad) {
  return tellNotes(pad, make("div", { class: "pad-notes" }));
}

function waitingPart(pad) {
  return make(
    "div",
    { class: "pad-page" },
    notesPart(pad),
    pad.trouble ? null : make("p", { class: "pad-soft" }, "Looking for the game …"),
    unsavedPart(pad),
  );
}

function finishedPart(pad) {
  const { game, kept, headline } = pad.finished;
  const address = game ? `/replay?game=${encodeURIComponent(game)}` : null;
  return make(
    "div",
    { class: "pad-page" },
    notesPart(pad),
    make("h2", {}, headline ?? "The game is over"),
    make(
      "p",
      {},
      pad.queue.length
        ? "The log is closed. What was entered after that is not in it:"
        : "Everything is on disk, and the log is closed.",
    ),
    unsavedPart(pad),
    kept ? make("p", { role: "status" }, kept) : null,
    make(
      "div",
      { class: "pad-choices" },
      make("button", { type: "button", class: "pad-main", onclick: () => pad.forget() }, "New game"),
      address ? make("a", { class: "pad-plain", href: address }, "Replay it") : null,
      kept
        ? null
        : make(
            "button",
            { type: "button", class: "pad-plain", onclick: () => pad.keep() },
            "Put it into the library",
          ),
    ),
  );
}

function unsavedPart(pad) {
  const entries = pad.queue;
  if (!entries.length) return null;
  return make(
    "div",
    { class: "pad-unsaved" },
    make("b", {}, `${plural(entries.length, "entry", "entries")} unsaved`),
    ...entries.slice(-12).map((entry) => make("span", { class: "pad-waits" }, entry.say)),
  );
}

function tablePart(pad) {
  const parts = {
    title: make("h1", { class: "pad-title" }),
    saved: make("span", { class: "pad-saved", role: "status" }),
    notes: notesPart(pad),
    now: make("section", { class: "pad-now", "aria-live": "polite" }),
    seats: make("ul", { class: "pad-seats", "aria-label": "Players" }),
    last: make("p", { class: "pad-last" }),
    unsaved: make("div", {}),
    over: make("div", {}),
    cards: make("div", { class: "pad-cards", role: "group", "aria-label": "Cards" }),
    lines: make("ol", { class: "pad-lines" }),
    undo: make(
      "button",
      { type: "button", class: "pad-act", onclick: () => pad.undo() },
      icon(ICONS.undo),
      "Undo",
    ),
    out: make(
      "button",
      { type: "button", class: "pad-act", onclick: () => pad.showOut() },
      icon(ICONS.out),
      "Can’t play",
    ),
    more: make(
      "button",
      { type: "button", class: "pad-act", onclick: () => pad.showMore() },
      icon(ICONS.more),
      "More",
    ),
  };
  pad.parts = parts;
  return make(
    "div",
    { class: "pad-table" },
    make(
      "div",
      { class: "pad-side", role: "group", "aria-label": "The table" },
      make("header", { class: "pad-head" }, parts.title, parts.saved),
      parts.notes,
      parts.now,
      parts.seats,
      parts.last,
    ),
    make(
      "div",
      { class: "pad-keys" },
      parts.unsaved,
      parts.over,
      parts.cards,
      make("div", { class: "pad-acts" }, parts.undo, parts.out, parts.more),
    ),
    make("section", { class: "pad-story" }, make("h2", {}, "What happened"), parts.lines),
  );
}

function updateTable(pad, parts) {
  const { view, mine } = pad.told;
  const entries = pad.queue;
  const late = entries.filter((entry) => !pad.link || Date.now() - (entry.at ?? 0) > SLOW);
  parts.title.textContent = `Edition ${view.edition}${view.round ? `, round ${view.round}` : ""}`;
  // Saved is only said when nothing is left to be acknowledged.
  const state = late.length
    ? ["is-late", `${entries.length} unsaved`]
    : entries.length
      ? ["", "Saving …"]
      : mine
        ? ["is-saved", "Saved"]
        : ["", "Watching"];
  if (parts.saved.textContent !== state[1]) {
    parts.saved.className = `pad-saved ${state[0]}`;
    parts.saved.replaceChildren(state[0] ? icon(late.length ? ICONS.link : ICONS.saved) : "", state[1]);
  }
  tellNotes(pad, parts.notes);
  put(parts.unsaved, late.length ? entries : [], () => (late.length ? [unsavedPart(pad)] : []));
  put(parts.now, [view.total, view.headline, view.owes, view.clockwise, view.phase, late], () =>
    nowPart(view, late),
  );
  parts.now.dataset.danger = view.danger;
  put(parts.seats, [view.players, view.turn], () => seatsPart(view));
  parts.last.textContent = view.lines[0] ?? "Nothing has happened yet.";
  revealTurn(parts);
  put(parts.lines, view.lines, () => view.lines.map((line) => make("li", {}, line)));
  put(parts.over, [view.phase, view.can, mine, view.points, entries.length > 0, view.headline], () =>
    overPart(pad, view, mine),
  );
  const playing = view.phase === "playing";
  parts.cards.hidden = !playing;
  put(
    parts.cards,
    view.cards.map((card) => card.token),
    () => keysPart(pad),
  );
  for (const [place, card] of view.cards.entries()) {
    const button = parts.cards.children[place];
    button.disabled = !mine;
    button.classList.toggle("is-barred", !card.can && !late.length);
    button.querySelector(".pad-then").textContent = late.length ? "" : card.can ? card.total : "no";
    button.setAttribute(
      "aria-label",
      late.length ? card.name : `${card.name}, ${card.can ? `total ${card.total}` : "can not be played"}`,
    );
  }
  parts.undo.disabled = !mine || (!view.can.undo && !entries.length);
  parts.out.disabled = !mine || !playing || view.turn === null || entries.length > 0;
  parts.more.disabled = !mine;
}

// Where there is little room for what stands above the cards, who is to play stays in sight.
function revealTurn(parts) {
  const seat = parts.seats.querySelector("[aria-current]");
  const side = parts.seats.parentElement;
  const told = `${seat?.textContent} ${parts.notes.textContent}`;
  const fits = side.scrollHeight <= side.clientHeight;
  // What has no room is scrolled by the keyboard, too.
  if (fits) side.removeAttribute("tabindex");
  else side.tabIndex = 0;
  if (!seat || parts.revealed === told || fits) return;
  parts.revealed = told;
  const below = seat.getBoundingClientRect().bottom + 4 - side.getBoundingClientRect().bottom;
  side.scrollTop = Math.max(0, side.scrollTop + below);
}

// Put new children in only where what they tell has changed.
function put(element, what, build) {
  const told = JSON.stringify(what);
  if (element.told === told) return;
  element.told = told;
  element.replaceChildren(...build().filter(Boolean));
}

function nowPart(view, late) {
  const over = view.phase === "match_over" || view.phase === "ended";
  const sum = late.every((entry) => entry.adds !== null && entry.adds !== undefined)
    ? late.reduce((total, entry) => total + entry.adds, Number(view.total.replace("−", "-")))
    : null;
  const guess = late.length && sum !== null ? String(sum).replace("-", "−") : null;
  return [
    make(
      "div",
      { class: "pad-total" },
      make("span", { class: "pad-label" }, "Total"),
      make("span", { class: `pad-figure ${guess ? "is-guess" : ""}` }, guess ?? view.total),
      make("span", { class: "pad-label" }, guess ? `saved: ${view.total}` : `limit ${view.limit}`),
    ),
    make(
      "div",
      { class: "pad-turn" },
      make("span", { class: "pad-label" }, over ? "The end" : late.length ? "Was to play" : "Now plays"),
      make("strong", { class: "pad-who" }, view.headline),
      view.owes ? make("span", { class: "pad-owes" }, `owes ${view.owes}`) : null,
      over
        ? null
        : make(
            "span",
            { class: "pad-way" },
            icon(view.clockwise ? ICONS.clockwise : ICONS.counter),
            view.clockwise ? "clockwise" : "counter-clockwise",
          ),
    ),
  ];
}

function seatsPart(view) {
  return view.players.map((player, seat) => {
    const what = player.gone ? "out of the match" : player.out ? "out" : plural(player.cards, "card");
    const known = player.known.length ? `: ${player.known.join(" ")}` : "";
    return make(
      "li",
      {
        class: `pad-seat ${player.out || player.gone ? "is-out" : ""}`,
        "aria-current": seat === view.turn ? "true" : undefined,
      },
      make("b", {}, player.name),
      make("span", {}, what + known + (player.standing ? ` · ${player.standing}` : "")),
    );
  });
}

function overPart(pad, view, mine) {
  const found = [];
  const waits = pad.queue.length > 0;
  if (view.can.end || view.can.finish) {
    found.push(
      make("p", {}, view.can.end ? "The match is decided." : "The game has ended."),
      make(
        "button",
        { type: "button", class: "pad-main", disabled: !mine || waits, onclick: () => pad.finish() },
        "Finish, and close the log",
      ),
    );
  }
  if (view.points && mine)
    found.push(
      make(
        "button",
        { type: "button", class: "pad-plain", onclick: () => pad.showPoints() },
        "Points of the round",
      ),
    );
  if (view.can.starter !== null && mine)
    found.push(
      make(
        "button",
        { type: "button", class: "pad-plain", onclick: () => pad.showStarter() },
        `${view.players[view.can.starter].name} starts. Somebody else?`,
      ),
    );
  return found.length ? [make("div", { class: "pad-over" }, ...found)] : [];
}

function keysPart(pad) {
  return pad.told.view.cards.map(({ token }) =>
    make(
      "button",
      {
        type: "button",
        class: "pad-card",
        "data-token": token,
        onclick: () => {
          const card = pad.told.view.cards.find((one) => one.token === token);
          pad.enter(token, card.name, card.adds);
        },
      },
      face(pad, token),
      make("span", { class: "pad-then" }),
    ),
  );
}

function setupPart(pad) {
  const { listing, setup } = pad;
  const page = make("div", { class: "pad-page" }, notesPart(pad));
  if (!listing || !setup) {
    page.append(make("p", { class: "pad-soft" }, "Looking for games …"));
    return page;
  }
  if (listing.open.length) {
    const rows = listing.open.map((one) => openRow(pad, one));
    page.append(
      make("h2", {}, "Go on with"),
      make("div", { class: "pad-list" }, ...rows.slice(0, MOST_OPEN)),
    );
    if (rows.length > MOST_OPEN)
      page.append(
        make(
          "details",
          {},
          make("summary", {}, `${plural(rows.length - MOST_OPEN, "older one", "older ones")}`),
          make("div", { class: "pad-list" }, ...rows.slice(MOST_OPEN)),
        ),
      );
  }
  const players = make("ol", { class: "pad-players" });
  const known = make("div", { class: "pad-known" });
  const dealer = make("select", { id: "pad-dealer", onchange: () => (setup.dealer = dealer.value) });
  const why = make("p", { class: "pad-why", id: "pad-why", role: "status" });
  const alike = make("p", { class: "pad-why", id: "pad-alike", role: "status" });
  const begin = make(
    "button",
    {
      type: "button",
      class: "pad-main",
      "aria-describedby": "pad-why",
      // What is refused for another reason may go the next time.
      onclick: () => pad.start((words) => tellWhy(words, false)),
    },
    "Begin",
  );
  // The server tells what does not go, as it would at the beginning: while it is put together, and of a name typed.
  let asked = 0;
  const check = async () => {
    const mine = ++asked;
    const typed = name.value;
    let told = {};
    try {
      if (setup.players.length > 1 || typed.trim()) told = await ask("fit", { ...pad.wish(), typed });
    } catch (error) {
      // Without a link no game begins, and that is told.
      if (!(error instanceof NoLink)) throw error;
    }
    if (mine !== asked) return;
    // Who has typed a name takes it for added.
    const waits = typed.trim() && `${typed.trim()} is not at the table yet: add the name, or clear the field.`;
    tellWhy(setup.players.length > 1 ? (told.why ?? waits) : "");
    alike.textContent = told.typed ?? "";
    adding.querySelector("button").disabled = Boolean(told.typed);
    if (told.typed) name.setAttribute("aria-invalid", "true");
    else name.removeAttribute("aria-invalid");
  };
  const tellWhy = (words, bars = words !== "") => {
    const isNew = words && !why.textContent;
    why.textContent = words;
    // What is told stands above what is typed, and must not hide it.
    if (isNew && rules.matches(":focus")) rules.scrollIntoView({ block: "center" });
    begin.disabled = setup.players.length < 2 || bars;
  };
  const again = make("div", { class: "pad-again" });
  const update = () => {
    const isAsLast = setup.players.length > 0 && String(setup.players) === String(listing.last);
    const fill = (names) => ((setup.players = [...names]), (setup.dealer = ""), update());
    const chip = (text, names) =>
      make("button", { type: "button", class: "pad-chip", onclick: () => fill(names) }, text);
    again.replaceChildren(
      make("h3", {}, "Players, as they sit"),
      ...(setup.players.length ? [chip("Remove all", [])] : []),
      ...(!setup.players.length && listing.last.length ? [chip("The players of the last game", listing.last)] : []),
      ...(isAsLast ? [make("p", { class: "pad-soft" }, "The players of the last game are filled in.")] : []),
    );
    const rows = setup.players.map((name, seat) => playerRow(setup, name, seat, update));
    players.replaceChildren(
      ...(rows.length ? rows : [make("li", { class: "pad-soft" }, "Nobody yet; two at least.")]),
    );
    const others = listing.players.filter((name) => !setup.players.includes(name)).slice(0, 12);
    const add = (name) => (setup.players.push(name), update());
    known.replaceChildren(
      ...others.map((name) =>
        make("button", { type: "button", class: "pad-chip", onclick: () => add(name) }, `+ ${name}`),
      ),
    );
    if (Number(setup.dealer) >= setup.players.length) setup.dealer = "";
    dealer.replaceChildren(
      make("option", { value: "" }, "Nobody in particular"),
      ...setup.players.map((name, seat) => make("option", { value: seat }, name)),
    );
    dealer.value = setup.dealer;
    if (setup.players.length < 2) tellWhy("");
    else if (!why.textContent) begin.disabled = false;
    check();
  };
  const name = make("input", {
    id: "pad-name",
    maxlength: 80,
    autocomplete: "off",
    autocapitalize: "words",
    "aria-describedby": "pad-alike",
    oninput: () => check(),
  });
  const adding = make(
    "form",
    {
      class: "pad-adding",
      onsubmit: (event) => {
        event.preventDefault();
        if (!name.value.trim() || adding.querySelector("button").disabled) return;
        setup.players.push(name.value.trim());
        name.value = "";
        update();
        name.focus();
      },
    },
    name,
    make("button", { class: "pad-plain" }, "Add"),
  );
  const edition = (value, text) => {
    const input = make("input", {
      type: "radio",
      name: "pad-edition",
      value,
      checked: setup.edition === value,
      onchange: () => {
        setup.edition = value;
        check();
      },
    });
    return make("label", { class: "pad-radio" }, input, make("span", {}, text));
  };
  const rules = make("input", {
    id: "pad-rules",
    maxlength: 400,
    autocomplete: "off",
    autocapitalize: "none",
    placeholder: "match=chips max_total=99",
    value: setup.rules,
    oninput: () => {
      setup.rules = rules.value;
      check();
    },
  });
  update();
  page.append(
    make("h2", {}, "New game"),
    again,
    players,
    known,
    make("label", { for: "pad-name" }, "Another player"),
    adding,
    alike,
    make(
      "fieldset",
      {},
      make("legend", {}, "Edition of the box"),
      edition("2022", "2022 (Play 2)"),
      edition("1980", "1980 (Double Play, Hold)"),
    ),
    make("label", { for: "pad-dealer" }, "Who deals? The next one starts"),
    dealer,
    make(
      "details",
      {
        class: "pad-rules",
        ontoggle: (event) => event.target.open && event.target.scrollIntoView({ block: "nearest" }),
      },
      make("summary", {}, "House rules"),
      make("label", { for: "pad-rules" }, "Rules, or the name of some that are remembered"),
      rules,
      listing.house.length
        ? make(
            "div",
            { class: "pad-known" },
            ...listing.house.map((one) =>
              make(
                "button",
                { type: "button", class: "pad-chip", onclick: () => ((setup.rules = rules.value = one), check()) },
                one,
              ),
            ),
          )
        : null,
    ),
    make("div", { class: "pad-begin" }, why, begin),
  );
  return page;
}

function openRow(pad, { recording, told }) {
  const unsaved = entriesOf(recording).length;
  return make(
    "button",
    { type: "button", class: "pad-plain pad-open", onclick: () => pad.goTo(recording) },
    make("b", {}, told),
    make(
      "span",
      { class: "pad-soft" },
      recording.replace(".ono.jsonl", "") + (unsaved ? ` · ${plural(unsaved, "entry", "entries")} unsaved` : ""),
    ),
  );
}

function playerRow(setup, name, seat, update) {
  const move = (to) => {
    const [taken] = setup.players.splice(seat, 1);
    if (to !== null) setup.players.splice(to, 0, taken);
    setup.dealer = "";
    update();
  };
  return make(
    "li",
    {},
    make("span", {}, name),
    make(
      "button",
      {
        type: "button",
        class: "pad-chip",
        "aria-label": `${name} sits further up`,
        disabled: seat === 0,
        onclick: () => move(seat - 1),
      },
      "Up",
    ),
    make(
      "button",
      {
        type: "button",
        class: "pad-chip",
        "aria-label": `Remove ${name}: does not play`,
        onclick: () => move(null),
      },
      "Remove",
    ),
  );
}

// --- mounting ------------------------------------------------------------------------------------------

function isDark(color) {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(color);
  const parts = hex
    ? hex.slice(1).map((part) => parseInt(part, 16))
    : color.match(/[\d.]+/g) || [255, 255, 255];
  return 0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2] < 128;
}

export default function ({ parentElement }) {
  let root = parentElement.querySelector(".pad");
  if (!root) {
    root = make("div", { class: "pad" });
    parentElement.append(root);
  }
  const ground = getComputedStyle(parentElement.host || parentElement)
    .getPropertyValue("--st-background-color")
    .trim();
  root.dataset.theme = ground && isDark(ground) ? "dark" : "light";
  root.pad ??= new Pad(root);
  // Called before each further run, too: only what has really gone is taken down.
  return () => setTimeout(() => root.isConnected || root.pad.destroy(), 0);
}
