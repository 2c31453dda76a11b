/** Does one thing for each item, four at a time; returns the items it failed for. */
export async function forEachItem<T>(items: T[], act: (item: T) => Promise<unknown>): Promise<T[]> {
  const left = [...items]
  const failed: T[] = []
  const work = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      const current = item
      await act(current).catch(() => failed.push(current))
    }
  }
  await Promise.all([work(), work(), work(), work()])
  return failed
}
