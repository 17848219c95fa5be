/**
 * Runs the demo's server in a child process, with the shutdown of `demo/main.ts`. Before it writes the tag `slow`, it waits
 * for a line on stdin. Prints its URL and then `waiting`.
 */
import { once } from 'node:events'

import { openDatabase } from '../../../demo/database.js'
import { serveBlog } from '../../../demo/server.js'

const database = await openDatabase()
const slow = database.orm.$extends({
  query: {
    tag: {
      async create({ args, query }) {
        if (args.data.name === 'slow') {
          process.stdout.write('waiting\n')
          await once(process.stdin, 'data')
        }
        return query(args)
      },
    },
  },
})
const server = await serveBlog(slow as unknown as typeof database.orm, 4790)

process.once('SIGTERM', () => {
  void (async () => {
    process.stdout.write('stopping\n')
    await server.close()
    process.stdout.write(`stored ${await database.orm.tag.count({ where: { name: 'slow' } })}\n`)
    await database.close()
    process.exit(0)
  })()
})
process.stdout.write(`${server.url}\n`)
