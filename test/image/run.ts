import { buildFromClone, sizeOfImage } from './build.ts'
import { requirePrograms } from './programs.ts'

requirePrograms(['git', 'buildah', 'podman', 'mmdebstrap', 'npm'])
buildFromClone()
console.log(`Image: ${sizeOfImage()}`)
