/**
 * Creates a value on first use. Mainly for Intl formatters: the first one of a kind takes a slow phone a tenth of a
 * second.
 */
export function onDemand<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => {
    made ??= make()
    return made
  }
}
