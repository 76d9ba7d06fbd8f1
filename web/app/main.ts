import "./app.js";

if ("serviceWorker" in navigator && /^https?:$/.test(location.protocol) && !new URLSearchParams(location.search).has("no-sw")) {
  navigator.serviceWorker.register("sw.js").catch(() => {
    // Offline use is a comfort; a browser that refuses it still calculates.
  });
}
