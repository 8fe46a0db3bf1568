/**
 * Makes it when it is first asked for, once. For writers of numbers and times above all: the browser's first one of a kind
 * takes a slow phone a tenth of a second.
 */
export function onDemand<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => {
    made ??= make()
    return made
  }
}
