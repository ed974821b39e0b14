import { startSite } from '../site/site.ts'
import { buildFromClone, sizeOfImage } from './build.ts'
import { look } from './checks.ts'
import { startContainer } from './container.ts'
import { requirePrograms } from './programs.ts'

requirePrograms(['git', 'buildah', 'podman', 'mmdebstrap', 'npm'])
// With --built, the checks use the image of the last run. This saves time during work on the checks themselves.
if (!process.argv.includes('--built')) buildFromClone()
console.log(`Image: ${sizeOfImage()}`)

const site = await startSite()
const container = await startContainer(`127.0.0.1:${site.port}`)
const checks = await look({ container, site: site.url })
const exitCode = container.stop()
console.log(`${exitCode === '0' ? 'ok    ' : 'FAILED'} stops with: ${exitCode}`)
container.remove()
await site.stop()
const failed = checks.filter(({ holds }) => !holds).length + (exitCode === '0' ? 0 : 1)
console.log(failed === 0 ? 'Everything holds.' : `${failed} did not hold.`)
process.exit(failed === 0 ? 0 : 1)
