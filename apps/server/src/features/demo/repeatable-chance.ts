/** Chance that is the same every time (a linear congruential generator, constants of Numerical Recipes). */
export function repeatableChance(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
