import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { tableWith } from '../docs/support/pages.js'
import { isLong } from '../support/form.js'
import { type Blog, type Driver, FAILURES, loadBlog, type World } from './drivers/driver.js'
import { mariadbDriver } from './drivers/mariadb.js'
import { pgDriver } from './drivers/pg.js'
import { pgliteDriver } from './drivers/pglite.js'
import { createRequestSender } from './drivers/requests.js'
import { betterSqlite3Driver, libsqlDriver } from './drivers/sqlite.js'

/** In the order of the table's columns on the page. */
const DRIVERS: readonly Driver[] = [pgDriver, mariadbDriver, betterSqlite3Driver, libsqlDriver, pgliteDriver]

/** Drivers without a server, which the short form tests too. */
const QUICK: readonly Driver[] = [libsqlDriver, betterSqlite3Driver]

const TABLE = tableWith('outages')
/** The text on the page for a failure that cannot occur. */
const NEVER = '—'

it('outages page: lists every fault', () => {
  expect(TABLE.map(([failure]) => failure)).toEqual(FAILURES)
})

for (const [column, driver] of DRIVERS.entries()) {
  describe.runIf(driver.open && (isLong || QUICK.includes(driver)))(`outages with the driver ${driver.name}`, () => {
    let world: World
    let blog: Blog
    beforeAll(async () => {
      blog = await loadBlog(driver.provider)
      if (driver.open) world = await driver.open(blog)
    })
    afterAll(async () => world?.close())

    for (const [row, failure] of FAILURES.entries()) {
      const expected = TABLE[row]?.[column + 1]
      it(`${failure}: responds as documented (${expected})`, async ({ skip }) => {
        const scene = world.scenes[failure]
        if (!scene) return expect(expected).toBe(NEVER)
        const errors: unknown[] = []
        const { sendRequests, summarize } = createRequestSender(blog, (error) => errors.push(error))
        if ((await scene(sendRequests)) === 'not possible here') return skip('not possible here')
        expect(summarize(), errors.map(String).join('\n')).toBe(expected)
        // The failure is over.
        expect(await world.orm.category.count()).toBeGreaterThan(0)
      })
    }
  })
}
