/**
 * Follows docs/tutorial.md up to the page with the list in React, and prints the duration of each command and step. Packages of the
 * repository are installed as packed by npm, and the others from the registry. Only `prisma db push` is replaced, because Prisma's schema
 * engine must be downloaded. The time to read and to type is not included.
 */
import { makeTutorialApp } from '../tests/docs/support/tutorial-app.js'
import { follow, openIssueList, stepsOf } from '../tests/docs/support/tutorial-steps.js'
import { npm, packAll } from '../tests/packages/tarballs.js'
import { hasBrowser, openBrowser } from '../tests/support/browser.js'

const LAST_STEP = '10. Add a web page'
const FIRST_COMMAND = 'npx prisma generate'

const tarballs = await packAll()
const { generator, runtime, client } = tarballs
const files = new Map([generator, runtime, client].map(({ manifest, file }) => [manifest.name, file]))
const app = await makeTutorialApp((folder, args) => {
  return npm(['install', '--no-audit', '--no-fund', ...args.map((word) => files.get(word) ?? word)], folder)
})

const print = (name: string, since: number) =>
  process.stdout.write(`${((performance.now() - since) / 1000).toFixed(1).padStart(7)} s  ${name}\n`)

try {
  const start = performance.now()
  let generation: number | undefined
  const steps = stepsOf()
  for (const step of steps.slice(0, steps.findIndex(({ title }) => title === LAST_STEP) + 1)) {
    const stepStart = performance.now()
    await follow(app, step, (words, duration) => {
      const command = words.join(' ').split('\n')[0] ?? ''
      if (command === FIRST_COMMAND) generation ??= performance.now() - duration
      print(`  ${command.length > 90 ? `${command.slice(0, 90)}…` : command}`, performance.now() - duration)
    })
    print(step.title, stepStart)
  }
  const pageStart = performance.now()
  const url = await app.url()
  if (hasBrowser) {
    const browser = await openBrowser()
    await openIssueList(browser, url).finally(() => browser.close())
  }
  print('The page shows the list', pageStart)
  print(`From the first \`${FIRST_COMMAND}\` to the list`, generation ?? start)
  print('Total', start)
} finally {
  await app.close()
  tarballs.remove()
}
