import { type Cluster, DELAY } from '../cluster.js'
import { type Answer, documents, send } from '../load.js'
import type { Finding } from '../report.js'

/** What callers see of what they have just written, with the recipe and without it. */
export async function readYourWrites({ apps }: Cluster): Promise<Finding> {
  const [first, second] = apps
  if (!first || !second) throw new Error('There are no processes.')
  const faults: string[] = []
  const seen = { without: 0, with: 0 }
  const rounds = 20
  for (let n = 0; n < rounds; n++) {
    const made = await send(first, { method: 'POST', path: '/api/own/tag', body: documents.tag(`own-${n}`) })
    if (made.status !== 201) faults.push(`a tag was answered with ${made.status}`)
    // Another process answers, of course.
    const read = (cookie?: string): Promise<Answer> =>
      send(second, { path: `/api/own/tag/own-${n}`, ...(cookie && { cookie }) })
    if ((await read()).status === 200) seen.without++
    if ((await read(made.cookie)).status === 200) seen.with++
  }
  if (seen.with < rounds) faults.push(`${rounds - seen.with} of ${rounds} were not seen by those who wrote them`)
  return {
    title: 'Reading one’s own writes',
    what: `A tag is created by one process and read at once from another, while the replica is ${DELAY / 1000} s late.`,
    rows: [
      ['seen with the cookie of the recipe', `${seen.with} of ${rounds}`],
      ['seen without it', `${seen.without} of ${rounds}`],
    ],
    faults,
  }
}
