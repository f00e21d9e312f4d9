"""The page that an invitation's link opens: a single document without other hosts, files or cookies."""

from __future__ import annotations

from typing import Final

from contentgen_core.policies.text.hash_source import hash_source

_STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 12vh auto; padding: 0 1.5rem; color: #1c2024;
  background: #fff; }
h1 { font-size: 1.4rem; }
label { display: block; font-weight: 600; margin-bottom: .3rem; }
input { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem .6rem; border: 1px solid #8b8d98;
  border-radius: 6px; }
button { font: inherit; margin-top: 1rem; padding: .5rem 1.2rem; border: 0; border-radius: 6px; color: #fff;
  background: #0b5ed7; cursor: pointer; }
button:disabled { opacity: .5; cursor: default; }
input:focus-visible, button:focus-visible { outline: 3px solid #74a9ff; outline-offset: 1px; }
code { display: block; padding: .8rem; background: #f0f2f5; border-radius: 6px; overflow-wrap: anywhere;
  user-select: all; }
[role=alert] { color: #b3261e; }
@media (prefers-color-scheme: dark) {
  body { color: #e8eaed; background: #17191c; }
  input { color: inherit; background: #24272b; }
  code { background: #24272b; }
  [role=alert] { color: #ff9c93; }
}
"""

# First removes the token from the address bar, and so from the browser's history.
_SCRIPT: Final = """
"use strict";
const token = new URLSearchParams(location.search).get("token") || "";
history.replaceState(null, "", location.pathname);
const find = (id) => document.getElementById(id);
const tell = (text) => { find("problem").textContent = text; };
const incomplete = "This link is incomplete. Open it again from the invitation.";
if (!token) tell(incomplete);
find("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!token) return;
  tell("");
  find("send").disabled = true;
  try {
    const answer = await fetch(location.pathname, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token, name: find("name").value }),
    });
    const said = await answer.json();
    if (!answer.ok) throw new Error(said.detail);
    find("team").textContent = said.tenantName;
    find("role").textContent = said.role;
    find("key").textContent = said.key;
    find("form").hidden = true;
    find("joined").hidden = false;
    find("joined").focus();
  } catch (error) {
    tell(error.message || "The service cannot be reached. Try again.");
    find("send").disabled = false;
  }
});
find("copy").addEventListener("click", async () => {
  await navigator.clipboard.writeText(find("key").textContent);
  find("copy").textContent = "Copied";
});
if (!navigator.clipboard) find("copy").hidden = true;
"""


POLICY: Final = (
    f"default-src 'none'; script-src {hash_source(_SCRIPT)}; style-src {hash_source(_STYLE)}; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

PAGE: Final = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>Join the team</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
<form id="form">
<h1>You are invited to join a team</h1>
<p>Choose the name that the team will see. You then get an API key, which is what you use the service with.</p>
<label for="name">Your name</label>
<input id="name" name="name" required maxlength="100" autocomplete="name" pattern=".*\\S.*">
<button id="send">Join</button>
<noscript><p role="alert">This page needs JavaScript. Without it, send the link's token and your name to
POST /team/accept.</p></noscript>
</form>
<p id="problem" role="alert"></p>
<section id="joined" tabindex="-1" hidden>
<h1>Welcome to <span id="team"></span></h1>
<p>Your role is <b id="role"></b>. This is your API key. Keep it now: it is shown this once.</p>
<code id="key"></code>
<button id="copy" type="button">Copy</button>
<p>Send it with every request as <b>X-API-Key</b>. The <a href="../docs">API reference</a> says what there is.</p>
</section>
</main>
<script>{_SCRIPT}</script>
</body>
</html>
"""
