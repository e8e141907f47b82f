// Runs the verifier inside the page. The build puts VERIFIER before this: the code of the verifier in base64.
import { startVerifyPage } from './verify.js';

const code = Uint8Array.from(atob(VERIFIER), (letter) => letter.charCodeAt(0));

/** Starts the page with the verifier, or says that this browser cannot run it. */
async function start() {
  const module = await WebAssembly.compile(code);
  let next = await WebAssembly.instantiate(module);
  // Each file gets a verifier of its own: a large file leaves no memory behind, and one that has stopped judges nothing else.
  startVerifyPage((file) => {
    const verifier = next;
    WebAssembly.instantiate(module).then((fresh) => { next = fresh; });
    return answer(verifier.exports, typeof file === 'string' ? new TextEncoder().encode(file) : file);
  });
}

/** What the verifier says of a file, given as bytes. */
function answer(verifier, bytes) {
  try {
    const room = verifier.reserve(bytes.length);
    // Without room the file is larger than any that is read, and the verifier says so.
    if (room !== 0) new Uint8Array(verifier.memory.buffer, room, bytes.length).set(bytes);
    const length = verifier.check();
    return JSON.parse(new TextDecoder().decode(new Uint8Array(verifier.memory.buffer, verifier.output(), length)));
  } catch (stopped) {
    const line = `NOT CHECKED: the verifier has stopped (${stopped.message}). Check this file with 'chakart verify'.`;
    return { verdict: 'not-checked', line, text: `${line}\n`, no: true, film: null };
  }
}

start().catch((refused) => {
  const words = `This browser does not run the verifier (${refused.message}). Try another one, or 'chakart verify'.`;
  document.getElementById('page').textContent = words;
});
