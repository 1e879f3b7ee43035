// The history of the browser: Back leads to what was seen before, in one step.
//
// When Streamlit leaves for another page with an address of its own, it first puts the new parameters on the old
// page, as an entry of its own, and then changes the page. And each step of a replay would be an entry.
(() => {
  const push = history.pushState.bind(history);
  const replace = history.replaceState.bind(history);
  const MOMENT = ["event", "seat"];
  let before = null; // the address that an entry, not made yet, will follow
  let timer = 0;

  function settle() {
    clearTimeout(timer);
    if (before === null) return;
    const now = location.href;
    replace({}, "", before);
    push({}, "", now);
    before = null;
  }

  function isMoment(to) {
    const asked = [new URLSearchParams(location.search), new URLSearchParams(to.search)];
    for (const one of asked) for (const name of MOMENT) one.delete(name);
    return to.pathname.endsWith("/replay") && String(asked[0]) === String(asked[1]);
  }

  history.pushState = (state, title, url) => {
    const to = new URL(url, location.href);
    if (to.pathname === location.pathname) {
      settle();
      if (!isMoment(to)) {
        before = location.href;
        timer = setTimeout(settle, 1500);
      }
      replace(state, title, url);
      return;
    }
    if (before !== null && to.search === location.search) replace({}, "", before);
    else settle();
    clearTimeout(timer);
    before = null;
    push(state, title, url);
  };
  addEventListener("popstate", () => {
    clearTimeout(timer);
    before = null;
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
