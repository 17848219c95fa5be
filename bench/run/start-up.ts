/**
 * Measures a cold start: `start-up.js <contender> <database url>`. Prints the milliseconds from the start of the program to its first
 * response, and its memory usage then.
 */
import { OPERATIONS } from '../operations.js'
import { type AppName, openApp } from './contenders.js'
import { toRequest } from './request.js'

const [name = '', url = ''] = process.argv.slice(2)
const app = await openApp(name as AppName, url)
const loaded = performance.now()
const operation = OPERATIONS.find((one) => one.name === 'get')
if (!operation) throw new Error('There is no such operation.')
const response = await app.fetch(toRequest(operation.request(1, 'start')))
await response.text()
const firstResponseMs = performance.now()
const { rss, heapUsed } = process.memoryUsage()
console.log(JSON.stringify({ loaded, firstResponseMs, rss, heapUsed, cpu: process.cpuUsage() }))
process.exit(0)
