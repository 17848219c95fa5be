// Formats one file for the given output folder, and prints the URLs of all modules that it loaded.
import { register } from 'node:module'
import { MessageChannel } from 'node:worker_threads'

const hooks = `
  let port
  export const initialize = (data) => { port = data.port }
  export const resolve = async (specifier, context, next) => {
    const resolved = await next(specifier, context)
    port.postMessage(resolved.url)
    return resolved
  }
`
const loaded: unknown[] = []
const { port1, port2 } = new MessageChannel()
const LAST = 'node:os'
const all = new Promise<void>((resolve) => {
  port1.on('message', (url) => {
    if (url === LAST) resolve()
    else loaded.push(url)
  })
})
register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: { port: port2 }, transferList: [port2] })

const { GENERATED_HEADER: FIRST_LINE } = await import('../../../generator/emit/files.js')
const { createFormatter } = await import('../../../generator/emit/format.js')
const [outputDir = '', body = ''] = process.argv.slice(2)
const formatter = await createFormatter({ outputDir, format: 'prettier' })
await formatter.format([{ path: 'post/rest.ts', header: `${FIRST_LINE}\n// Source: model Post.`, imports: [], body }])
// Messages arrive in order, but much later on some versions of Node.
await import(LAST)
await all
port1.close()
console.log(JSON.stringify(loaded))
