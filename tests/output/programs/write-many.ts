// Writes the 400 files of a generation into the folder it is given, says so line by line, and dies in the middle of one.
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
