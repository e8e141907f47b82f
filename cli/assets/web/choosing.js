// Which legal actions a person means by pointing at squares. What is legal comes from the program.

function fitting(legal, from, to) {
  return legal.filter((choice) => choice.ways.some((way) => way.from === from && way.to === to));
}

/** The actions that one square means. */
export function atOnce(legal, square) {
  return fitting(legal, square, undefined);
}

/** The actions that a square and then another point ('off' is beside the board) mean, those of one man first. */
export function between(legal, from, to) {
  const fits = fitting(legal, from, to);
  return [...fits.filter((choice) => choice.alone), ...fits.filter((choice) => !choice.alone)];
}

/** The squares on which some action begins, or that mean one at once. */
export function beginnings(legal) {
  return new Set(legal.flatMap((choice) => choice.ways.map((way) => way.from)));
}

/** The squares that may be pointed at now, each with 'take' where something is and 'go' where nothing is. */
export function targetsOf(legal, from, isEmpty) {
  const ways = legal.flatMap((choice) => choice.ways);
  const squares = from
    ? ways.filter((way) => way.from === from && way.to && way.to !== 'off').map((way) => way.to)
    : ways.filter((way) => !way.to).map((way) => way.from);
  return new Map(squares.map((square) => [square, isEmpty(square) ? 'go' : 'take']));
}

/** Whether the man on a square may leave the board. */
export function mayLeave(legal, from) {
  return from !== null && fitting(legal, from, 'off').length > 0;
}

/** Whether the only thing to do is to pass. */
export function isPass(legal) {
  return legal.length === 1 && legal[0].ways.length === 0;
}
