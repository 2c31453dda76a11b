/** Cuts off what is still in flight some time after an abort: a server that never responds must not delay a stop. Returns how to forget it. */
export function afterGrace(signal: AbortSignal | undefined, graceMs: number, cutOff: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const start = () => {
    timer = setTimeout(cutOff, graceMs)
  }
  if (signal?.aborted) start()
  else signal?.addEventListener('abort', start, { once: true })
  return () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', start)
  }
}
