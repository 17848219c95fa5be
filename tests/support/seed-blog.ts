import { seed } from '../../fixtures/blog/seed.js'
import type { Database } from './databases.js'

/** Creates the rows of the demo, for `db.fill`. */
export async function seedBlog({ orm }: Pick<Database, 'orm'>): Promise<void> {
  await seed(orm)
}
