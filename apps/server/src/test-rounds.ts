/** Set by `npm run test:long`, which repeats some tests in full. */
export const isThorough = process.env.HANSOM_ALL === '1'

/** How often a test repeats a race or tries random inputs: a few times in `npm test`, all in `npm run test:long`. */
export const rounds = (few: number, all: number): number => (isThorough ? all : few)
