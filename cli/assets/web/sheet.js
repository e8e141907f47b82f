// The shapes of men and objects, in the page, so that the board can use them.

/** Reads a sheet of symbols into the page. */
export async function addSheet(path) {
  const answer = await fetch(path);
  const sheet = new DOMParser().parseFromString(await answer.text(), 'image/svg+xml').documentElement;
  sheet.setAttribute('class', 'symbols');
  sheet.setAttribute('aria-hidden', 'true');
  document.body.prepend(document.adoptNode(sheet));
}
