// The history of the browser: each page that was come to and each filter that was chosen is one entry.
//
// Streamlit puts an address that the server asks for below whatever page is there when it comes, as an entry, and
// changes the page on its own time, before or after. So it is the server alone that writes the history, in the order
// of what it says: with each address what it is for, in a last parameter that never gets into an address
// (`views/address.py`).
//   ~=go.PAGE      somebody leaves for a page: a new entry
//   ~=here.PAGE    the address of the page that somebody has come to: the entry of that page, a new one if need be
//   ~=choose.PAGE  something was chosen on a page: a new entry, if that page is still there
//   ~=step.PAGE    the reader has moved on within a page: no entry of its own
(() => {
  const push = history.pushState.bind(history);
  const replace = history.replaceState.bind(history);
  const WORD = /[?&]~=(go|here|choose|step)\.([a-z-]*)$/;
  let late = null; // parameters that came when the reader had gone elsewhere

  // Streamlit takes the late ones for those of the page; it looks at the address again when told that that changed.
  function lookAgain() {
    queueMicrotask(() => dispatchEvent(new PopStateEvent("popstate", { state: history.state })));
  }

  function write(url, backed) {
    const asked = new URL(url, location.href);
    const said = WORD.exec(asked.search);
    // What comes without a word, or with the path of another page, was told before with a word.
    if (said === null || asked.pathname !== location.pathname) {
      if (late === asked.search) lookAgain();
      late = null;
      return;
    }
    const [, word, page] = said;
    const search = asked.search.slice(0, said.index);
    const path = location.pathname.replace(/[^/]*$/, page);
    const isThere = path === location.pathname;
    late = null;
    if (backed || (!isThere && (word === "choose" || word === "step"))) {
      late = search;
      lookAgain();
    } else if (isThere && (word === "here" || word === "step")) {
      replace({}, "", path + search + (word === "here" ? location.hash : ""));
    } else if (!isThere || search !== location.search) {
      push({}, "", path + search);
    }
  }

  history.pushState = (_state, _title, url) => write(url, false);
  // Streamlit replaces while it goes back or forward: what was asked for before that is late.
  history.replaceState = (_state, _title, url) => write(url, true);
})();

// On a narrow page the menu is a drawer: closed at first, and again once a page was chosen. Streamlit keeps it as it was
// left, and closes it for browsers that call themselves mobile.
(() => {
  try {
    localStorage.setItem("stSidebarCollapsed-", "true");
  } catch {
    // Without storage there is nothing that it could have kept.
  }
  addEventListener("click", (event) => {
    const chosen = event.target.closest?.("[data-testid=stSidebarNavLink]");
    if (!chosen) return;
    setTimeout(() => {
      chosen.blur();
      const drawer = document.querySelector("[data-testid=stSidebar]:not([data-collapsed=true])");
      drawer?.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
    });
  });
})();

// What draws charts takes a third of a second to start: it does so while the server counts, that is once the server
// was asked for something.
(() => {
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (...said) {
    WebSocket.prototype.send = send;
    send.apply(this, said);
    const part = document.querySelector("link[data-start]");
    if (part) setTimeout(() => import(part.href).catch(() => {}));
  };
})();
