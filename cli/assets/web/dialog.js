// What is asked: a bubble in words with answers for mouse and keys.
import { button, byId, element } from './dom.js';

/**
 * Asks something. Each answer has `label` and `then`, and may have `data`, `kind` (a class) and `stays` (it is no end).
 * Keys 1-9 give an answer, Esc backs out. `where` is the element to put it into; the focus goes back to `back`.
 */
export function ask({ words, answers, where, onBack = () => {}, first = 0 }) {
  closeQuestion();
  const title = element('div', { id: 'choice-words' }, ...words.map((line) => element('p', {}, line)));
  const dialog = element('div', { id: 'choice', class: 'choice', role: 'dialog', aria: { labelledby: 'choice-words' } }, title);
  const finish = (then) => {
    closeQuestion();
    then();
  };
  const buttons = answers.map(({ label, then, data = {}, kind = '', stays = false }, index) => {
    const key = index < 9 ? element('kbd', {}, String(index + 1)) : null;
    const made = button('', () => (stays ? then() : finish(then)), { class: `answer ${kind}`, data });
    made.append(...[key, element('span', {}, label)].filter(Boolean));
    return made;
  });
  dialog.append(element('div', { class: 'answers' }, ...buttons));
  dialog.append(button('Back (Esc)', () => finish(onBack), { class: 'back' }));
  dialog.addEventListener('keydown', (event) => answered(event, buttons, () => finish(onBack)));
  where.append(dialog);
  buttons[first]?.focus();
}

/** Whether something is asked. */
export function isAsked() {
  return byId('choice') !== null;
}

/** Takes the question back. */
export function closeQuestion() {
  byId('choice')?.remove();
}

function answered(event, buttons, back) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const digit = Number(event.key);
  const at = buttons.indexOf(document.activeElement);
  const steps = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1 };
  if (event.key === 'Escape') back();
  else if (digit >= 1 && digit <= buttons.length) buttons[digit - 1].click();
  else if (event.key in steps) buttons[(at + steps[event.key] + buttons.length) % buttons.length]?.focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
