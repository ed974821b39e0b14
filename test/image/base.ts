import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, askBuildah, buildah, canPull, folder, hasImage, run } from './programs.ts'

/** Provides the image in FROM: pulls it if a registry is reachable, otherwise builds it from the distribution. */
export function provideBase(name: string): 'pulled' | 'stand-in' {
  const full = `docker.io/library/${name}`
  if (hasImage(full)) return isStandIn(full) ? 'stand-in' : 'pulled'
  if (canPull(full)) return 'pulled'
  console.log(`No registry answers: ${name} is put together from Debian and the npm packages of Node.`)
  makeStandIn(full, /-(?<suite>[a-z]+)-slim$/.exec(name)?.groups?.suite ?? 'bookworm')
  return 'stand-in'
}

const label = 'winnow.stand-in'

const isStandIn = (name: string) =>
  askBuildah('inspect', '--type', 'image', '--format', '{{.OCIv1.Config.Labels}}', name).includes(label)

/**
 * Builds an image like the original: Debian with only the essential packages, Node and npm in /usr/local, and a user
 * `node`.
 */
function makeStandIn(name: string, suite: string): void {
  const tar = join(folder, `${suite}.tar`)
  if (!existsSync(tar)) run('mmdebstrap', ['--variant=minbase', ...withoutManuals, suite, tar])
  const container = askBuildah('from', 'scratch')
  try {
    buildah('add', container, tar, '/')
    for (const [source, to] of nodeFiles()) buildah('copy', '--quiet', container, source, to)
    const runInContainer = (...command: string[]) =>
      buildah('run', '--isolation', 'chroot', container, '--', ...command)
    runInContainer('ln', '--symbolic', '/usr/local/lib/node_modules/npm/bin/npm-cli.js', '/usr/local/bin/npm')
    runInContainer('ln', '--symbolic', '/usr/local/lib/node_modules/npm/bin/npx-cli.js', '/usr/local/bin/npx')
    runInContainer(
      'useradd',
      '--create-home',
      '--uid',
      '1000',
      '--user-group',
      '--shell',
      '/bin/bash',
      'node',
    )
    buildah('config', '--label', `${label}=yes`, '--cmd', 'node', ...certificateFlags(container), container)
    buildah('commit', '--quiet', container, name)
  } finally {
    buildah('rm', container)
  }
}

const withoutManuals = ['/usr/share/doc/*', '/usr/share/man/*', '/usr/share/locale/*'].map(
  (path) => `--dpkgopt=path-exclude=${path}`,
)

function nodeFiles(): [string, string][] {
  const unpacked = join(folder, 'node')
  mkdirSync(unpacked, { recursive: true })
  const manifest = JSON.parse(readFileSync(new URL('../../runtime/package.json', import.meta.url), 'utf8'))
  const packages = Object.entries<string>(manifest.optionalDependencies)
    .filter(([name]) => name.endsWith(process.arch))
    .map(([name, version]) => `${name}@${version}`)
  for (const [index, spec] of [...packages, 'npm@11'].entries()) {
    const packageFolder = join(unpacked, String(index))
    mkdirSync(packageFolder, { recursive: true })
    const [archive = ''] = ask('npm', ['pack', '--silent', spec], unpacked).split('\n').slice(-1)
    run('tar', ['--extract', '--gzip', '--file', archive, '--directory', packageFolder], unpacked)
  }
  return [
    [join(unpacked, '0/package/bin/node'), '/usr/local/bin/node'],
    [join(unpacked, '1/package'), '/usr/local/lib/node_modules/npm'],
  ]
}

/** Returns flags that make the build trust the certificate of an inspecting proxy, if this machine has one. */
function certificateFlags(container: string): string[] {
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  if (!certificates) return []
  const certificateCopy = join(folder, 'certificates.crt')
  copyFileSync(certificates, certificateCopy)
  buildah('copy', '--quiet', container, certificateCopy, '/etc/ssl/certs/build.crt')
  return ['NODE_EXTRA_CA_CERTS', 'PIP_CERT'].flatMap((variable) => [
    '--env',
    `${variable}=/etc/ssl/certs/build.crt`,
  ])
}
