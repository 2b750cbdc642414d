// Search without a server. A browser starts no worker for a page that was opened as a file, so here a hidden frame does
// the worker's work: it loads the same script, and messages go in and out through this class. Elsewhere nothing changes.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = (...addresses) => inOrder(inside, addresses);
      this.loaded = inOrder(inside, [address]);
    }

    postMessage(data) {
      const inside = this.frame.contentWindow;
      this.loaded.then(() => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  };

  // The script of the search looks for this name before it loads the words of a language: their folder is then sought
  // beside the script, not beside the page.
  window.IFrameWorker = window.Worker;

  const inOrder = (inside, addresses) =>
    addresses.reduce((before, address) => before.then(() => load(inside, address)), Promise.resolve());

  const load = (inside, address) =>
    new Promise((loaded, failed) => {
      const script = inside.document.createElement("script");
      script.src = new URL(address, location.href).href;
      script.onload = loaded;
      script.onerror = failed;
      inside.document.head.append(script);
    });
}
