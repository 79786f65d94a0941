// Passkeys: turns the server's options into what the browser wants, asks it, and posts the answer. A form says by
// data-passkey whether one is made or asked for, and by data-options where the options are; without, they are fetched.
"use strict";
(() => {
  const WHY = {
    InvalidStateError: "This device has a passkey for you already.",
    SecurityError: "Passkeys need a name in the address bar, with https, or localhost.",
    TypeError: "Passkeys need a name in the address bar, with https, or localhost.",
  };
  const toBytes = (text) => {
    const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
  };
  const toText = (buffer) => {
    const plain = String.fromCharCode(...new Uint8Array(buffer));
    return btoa(plain).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  };
  const withIds = (list) => (list || []).map((one) => ({ ...one, id: toBytes(one.id) }));

  const make = (options) => {
    const chosen = options.authenticatorSelection;
    return navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: toBytes(options.challenge),
        user: { ...options.user, id: toBytes(options.user.id) },
        excludeCredentials: withIds(options.excludeCredentials),
        // What signs in without a password must know whose it is, and ask who is there.
        authenticatorSelection: { ...chosen, residentKey: "required", requireResidentKey: true, userVerification: "required" },
      },
    });
  };
  const get = (options) =>
    navigator.credentials.get({
      publicKey: { ...options, challenge: toBytes(options.challenge), allowCredentials: withIds(options.allowCredentials) },
    });

  const told = (credential) => {
    const response = {};
    for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"])
      if (credential.response[name]) response[name] = toText(credential.response[name]);
    if (credential.response.getTransports) response.transports = credential.response.getTransports();
    return {
      id: credential.id,
      rawId: toText(credential.rawId),
      type: credential.type,
      authenticatorAttachment: credential.authenticatorAttachment,
      clientExtensionResults: credential.getClientExtensionResults(),
      response,
    };
  };

  const optionsOf = async (form) => {
    if (form.dataset.options) return JSON.parse(document.getElementById(form.dataset.options).textContent).publicKey;
    const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    return (await answer.json()).request_options.publicKey;
  };

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("[data-passkey]")) return;
    event.preventDefault();
    const problem = form.querySelector("[role=alert]");
    problem.hidden = true;
    try {
      if (!window.PublicKeyCredential) throw new TypeError("no passkeys here");
      const options = await optionsOf(form);
      const credential = await (form.dataset.passkey === "create" ? make(options) : get(options));
      form.elements.credential.value = JSON.stringify(told(credential));
      form.submit();
    } catch (error) {
      problem.textContent = WHY[error.name] || "No passkey was used. Try again, or sign in another way.";
      problem.hidden = false;
    }
  });
})();
