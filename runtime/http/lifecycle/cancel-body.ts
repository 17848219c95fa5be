/** What reads the whole body of a request. */
const READERS = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text']

/**
 * Lets go of whoever waits for the body of a request. A client that stops in the middle would hold its place for ever otherwise: once an
 * answer was sent, servers tell nobody that the rest of a body does not come.
 * @param request is changed itself: to make another one with the same body takes several times as long
 * @returns has whoever reads the body, now or later, fail
 */
export function cancelBodyOnEnd(request: Request): (error: unknown) => void {
  let end: (error: unknown) => void = () => {}
  const ended = new Promise<never>((_resolve, reject) => {
    end = reject
  })
  ended.catch(() => undefined)
  for (const name of READERS) {
    const read: unknown = Reflect.get(request, name)
    if (typeof read !== 'function') continue
    define(request, name, { value: () => Promise.race([read.call(request), ended]) })
  }
  const prototype: unknown = Object.getPrototypeOf(request)
  if (typeof prototype !== 'object' || prototype === null) return end
  let body: ReadableStream<Uint8Array> | undefined
  define(request, 'body', {
    get() {
      const source: unknown = Reflect.get(prototype, 'body', request)
      return source instanceof ReadableStream ? (body ??= endingStream(source, ended)) : source
    },
  })
  return end
}

function define(request: Request, name: string, descriptor: PropertyDescriptor): void {
  // What a framework does not let go of stays as it is.
  Reflect.defineProperty(request, name, { ...descriptor, configurable: true })
}

/** The same stream, which is not begun before it is read: a body may be asked for and then be read as a whole. */
function endingStream(source: ReadableStream<Uint8Array>, ended: Promise<never>): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= source.getReader()
        const { done, value } = await Promise.race([reader.read(), ended])
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => (reader ?? source).cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
