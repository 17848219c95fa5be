import { type Cluster, DELAY_MS } from '../cluster.js'
import { type TestResponse, documents, send } from '../load.js'
import type { Finding } from '../report.js'

/** Checks that callers see their own writes with the recipe, and counts how often they do without it. */
export async function readYourWrites({ apps }: Cluster): Promise<Finding> {
  const [first, second] = apps
  if (!first || !second) throw new Error('There are no processes.')
  const failures: string[] = []
  const seen = { without: 0, with: 0 }
  const rounds = 20
  for (let n = 0; n < rounds; n++) {
    const created = await send(first, { method: 'POST', path: '/api/own/tag', body: documents.tag(`own-${n}`) })
    if (created.status !== 201) failures.push(`a tag was answered with ${created.status}`)
    // Another process handles the read.
    const read = (cookie?: string): Promise<TestResponse> =>
      send(second, { path: `/api/own/tag/own-${n}`, ...(cookie && { cookie }) })
    if ((await read()).status === 200) seen.without++
    if ((await read(created.cookie)).status === 200) seen.with++
  }
  if (seen.with < rounds) failures.push(`${rounds - seen.with} of ${rounds} were not visible to their writers`)
  return {
    title: 'Read your own writes',
    description: `One process creates a tag. Another process reads it immediately, with a replica that is ${DELAY_MS / 1000} s late.`,
    rows: [
      ['found with the cookie of the recipe', `${seen.with} of ${rounds}`],
      ['found without the cookie', `${seen.without} of ${rounds}`],
    ],
    failures,
  }
}
