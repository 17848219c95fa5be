import { prepareFixtures } from '../../scripts/prepare-fixtures.js'

/** Makes the clients, tables and routes that tests use, where they are not there yet. */
export default function setup(): Promise<void> {
  return prepareFixtures()
}
