// Answers files with the verifier that pages have: its path is the argument, a file in base64 stands on each line of the
// input, its answer on each line of the output. What the verifier asks of its surroundings would be a fault: it gets nothing.
const fs = require('node:fs');

const { exports: verifier } = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(process.argv[2])), {});
const files = fs.readFileSync(0, 'utf8').trimEnd().split('\n');
for (const line of files) {
  const file = Buffer.from(line, 'base64');
  const room = verifier.reserve(file.length);
  new Uint8Array(verifier.memory.buffer, room, file.length).set(file);
  const length = verifier.check();
  process.stdout.write(`${Buffer.from(verifier.memory.buffer, verifier.output(), length).toString()}\n`);
}
