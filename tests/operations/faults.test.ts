import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { tableWith } from '../docs/support/pages.js'
import { isLong } from '../support/form.js'
import { type Blog, type Driver, FAULTS, loadBlog, type World } from './drivers/driver.js'
import { mariadbDriver } from './drivers/mariadb.js'
import { pgDriver } from './drivers/pg.js'
import { pgliteDriver } from './drivers/pglite.js'
import { seen } from './drivers/requests.js'
import { betterSqlite3Driver, libsqlDriver } from './drivers/sqlite.js'

/** In the order of the columns of the page's table. */
const DRIVERS: readonly Driver[] = [pgDriver, mariadbDriver, betterSqlite3Driver, libsqlDriver, pgliteDriver]

/** What starts servers is left to the long form. */
const QUICK: readonly Driver[] = [libsqlDriver, betterSqlite3Driver]

const TABLE = tableWith('outages')
/** What the page says where a fault cannot be. */
const NEVER = '—'

it('the page has a row for each fault', () => {
  expect(TABLE.map(([fault]) => fault)).toEqual(FAULTS)
})

for (const [column, driver] of DRIVERS.entries()) {
  describe.runIf(driver.open && (isLong || QUICK.includes(driver)))(
    `faults, with their own driver: ${driver.name}`,
    () => {
      let world: World
      let blog: Blog
      beforeAll(async () => {
        blog = await loadBlog(driver.provider)
        if (driver.open) world = await driver.open(blog)
      })
      afterAll(async () => world?.close())

      for (const [row, fault] of FAULTS.entries()) {
        const said = TABLE[row]?.[column + 1]
        it(`${fault}: ${said}`, async ({ skip }) => {
          const scene = world.scenes[fault]
          if (!scene) return expect(said).toBe(NEVER)
          const errors: unknown[] = []
          const { ask, answers } = seen(blog, (error) => errors.push(error))
          if ((await scene(ask)) === 'not possible here') return skip('not possible here')
          expect(answers(), errors.map(String).join('\n')).toBe(said)
          // What was wrong is over.
          expect(await world.orm.category.count()).toBeGreaterThan(0)
        })
      }
    },
  )
}
