// Writes the 400 files of a generation to the given folder, prints a line for each, and is killed while it writes one of
// them.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { manyFiles } from './many-files.js'

const [folder = '', generation = '', diesAt = ''] = process.argv.slice(2)
const { writeFileSync, writeSync } = fs
let writes = 0
fs.writeFileSync = (path, data, options) => {
  if (++writes < Number(diesAt)) {
    writeSync(1, `${String(path)}\n`)
    return writeFileSync(path, data, options)
  }
  writeFileSync(path, String(data).slice(0, 5000), options)
  process.kill(process.pid, 'SIGKILL')
}
syncBuiltinESMExports()

const { applyPlan } = await import('../../../generator/output/apply.js')
const { planOutput } = await import('../../../generator/output/plan-output.js')
await applyPlan(await planOutput(folder, manyFiles(generation)), () => undefined)
