import { lstatSync, readlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { SandboxedProgram } from '../ports/sandbox.ts'

export interface SandboxPaths {
  node: string
  /** Folders that must not be visible inside, although they are below system folders. */
  hidden: string[]
  /** Folder of cgroup v2 in which groups may be created; detected if not given. */
  groups?: string | undefined
}

export interface Descriptors {
  /** Descriptor through which the service receives the ports, until the program starts. */
  ipc: number
  seccomp: number
  options: number
  files: number[]
  /** Free descriptors, which the start command uses for the mount namespace and its root. */
  mounts: number
  root: number
}

/** Copied into the sandbox instead of mounted, because the mount table would reveal their location. */
export const serviceFiles = [
  { from: pathOfInsideFile('open-ports.mjs'), to: '/run/winnow/open-ports.mjs' },
  { from: pathOfInsideFile('hosts'), to: '/etc/hosts' },
]

/** A separate user if the service runs as root, otherwise its own user in a namespace. */
export type Identity = { uid: number } | 'own-namespace'

/** Every process inside can read the shown arguments. The hidden ones contain paths of this machine. */
export function sandboxArguments(
  program: SandboxedProgram,
  { paths, identity, descriptors }: { paths: SandboxPaths; identity: Identity; descriptors: Descriptors },
): { shown: string[]; hidden: string[] } {
  const hidden = [
    ...isolation(identity, program),
    ...systemMounts(),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...memoryFolder('/tmp', program.limits.filesMegabytes),
    ...memoryFolder('/dev/shm', program.limits.filesMegabytes),
    ...serviceFiles.flatMap(({ to }, index) => copiedFile(descriptors.files[index], to)),
    ...(isSystemPath(paths.node)
      ? ['--symlink', paths.node, '/run/winnow/node']
      : readOnly(paths.node, '/run/winnow/node')),
    ...program.readable.flatMap(({ from, to }) => readOnly(from, to)),
    ...paths.hidden.filter(isSystemPath).flatMap((path) => ['--tmpfs', path, '--remount-ro', path]),
    // Without this, a program that owns the namespace could fill memory with files in these folders.
    ...['--remount-ro', '/', '--remount-ro', '/dev'],
    ...['--chdir', '/tmp', '--clearenv'],
    ...Object.entries(program.environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--seccomp', String(descriptors.seccomp)],
  ]
  const startCommand = program.nestsSandboxes
    ? [...dropPrivileges(identity), ...startBrowser(program, descriptors), ...limits(program)]
    : [
        ...leaveMounts(descriptors),
        ...dropPrivileges(identity),
        ...startCode(program, descriptors),
        ...limits(program),
      ]
  return { hidden, shown: ['--args', String(descriptors.options), '--', ...startCommand, ...program.command] }
}

function isolation(identity: Identity, { nestsSandboxes }: SandboxedProgram): string[] {
  const unshare = ['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try']
  // Only for the start: to leave the mount namespace, to change the user, and to drop all other capabilities.
  const mountCapabilities = nestsSandboxes ? [] : ['CAP_SYS_ADMIN', 'CAP_SYS_CHROOT', 'CAP_SETPCAP']
  const userCapabilities = identity === 'own-namespace' ? [] : ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP']
  const capabilities = [...new Set([...mountCapabilities, ...userCapabilities])].flatMap((name) => [
    '--cap-add',
    name,
  ])
  return [
    ...unshare,
    ...['--die-with-parent', '--new-session', '--hostname', 'sandbox', '--cap-drop', 'ALL'],
    ...capabilities,
    ...(nestsSandboxes ? [] : ['--as-pid-1']),
    ...(identity === 'own-namespace' ? ['--unshare-user', '--uid', '1000', '--gid', '1000'] : []),
  ]
}

function systemMounts(): string[] {
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...['/bin', '/sbin', '/lib', '/lib32', '/lib64'].flatMap(mountAsOnHost),
    ...folder('/etc'),
    ...['fonts', 'alternatives', 'ld.so.cache', 'localtime', 'mime.types'].flatMap((name) => [
      ...['--ro-bind-try', `/etc/${name}`, `/etc/${name}`],
    ]),
    ...folder('/run'),
    ...folder('/run/winnow'),
  ]
}

/** Returns the mount of a system folder, which is a link into /usr on most systems, or a folder, or missing. */
function mountAsOnHost(path: string): string[] {
  try {
    return lstatSync(path).isSymbolicLink()
      ? ['--symlink', readlinkSync(path), path]
      : ['--ro-bind', path, path]
  } catch {
    return []
  }
}

// Parent folders that bubblewrap creates implicitly are accessible to root only.
const folder = (path: string) => ['--perms', '0755', '--dir', path]

const readOnly = (from: string, to: string) => ['--ro-bind', from, to]

const copiedFile = (descriptor: number | undefined, to: string) => [
  '--perms',
  '0444',
  '--file',
  String(descriptor),
  to,
]

/** Returns true for a path in a system folder. These are mounted at their original paths, which reveal nothing. */
const isSystemPath = (path: string) => path.startsWith('/usr/')

function pathOfInsideFile(name: string): string {
  return fileURLToPath(new URL(`./inside/${name}`, import.meta.url))
}

function memoryFolder(path: string, megabytes: number): string[] {
  return ['--perms', '1777', '--size', String(megabytes * 1024 * 1024), '--tmpfs', path]
}

/** The mount table lists paths of this machine that the root reaches, so the root stays in the original namespace. */
function leaveMounts({ mounts, root }: Descriptors): string[] {
  const unshareCommand = `unshare --mount --propagation unchanged --root=/proc/self/fd/${root} --wd=/tmp`
  return [
    'bash',
    '-c',
    `exec ${mounts}</proc/self/ns/mnt ${root}</; exec ${unshareCommand} -- "$@"`,
    'sandbox',
  ]
}

function dropPrivileges(identity: Identity): string[] {
  const dropCapabilities = ['--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all', '--no-new-privs']
  // Without `--pdeathsig`, a process that changes its user would continue after the end of the service.
  const setpriv = ['setpriv', ...dropCapabilities, '--pdeathsig', 'KILL']
  if (identity === 'own-namespace') return setpriv
  const user = String(identity.uid)
  return [...setpriv, '--reuid', user, '--regid', user, '--clear-groups']
}

function limits({ limits: values, nestsSandboxes }: SandboxedProgram): string[] {
  const { threads, processMegabytes, openFiles } = values
  // A limit on address space would stop V8, which reserves far more than it uses. A limit on data does not.
  const memory = processMegabytes === undefined ? [] : [`--data=${processMegabytes * 1024 * 1024}`]
  const files = openFiles === undefined ? [] : [`--nofile=${openFiles}`]
  const limitCommand = [
    'prlimit',
    '--core=0',
    '--msgqueue=0',
    `--nproc=${threads}`,
    ...memory,
    ...files,
    '--',
  ]
  // Code of callers has a lower priority than the service. A browser has the same priority, because users wait for it.
  return nestsSandboxes ? limitCommand : [...limitCommand, 'nice', '-n', '5']
}

function startBrowser(program: SandboxedProgram, descriptors: Descriptors): string[] {
  const closeScript = closeAll(`fd > ${2 + program.channels}`)
  return ['bash', '-c', `${openPorts(program, descriptors)} ${closeScript}; exec "$@"`, 'sandbox']
}

/** The sandbox needs its first process until the end: all others end with it, and it keeps their namespace. */
function startCode(program: SandboxedProgram, descriptors: Descriptors): string[] {
  const startScript = `(${closeAll(`fd > ${2 + program.channels}`)}; exec "$@") & child=$!`
  const closeOthers = `exec >/dev/null 2>&1; ${closeAll(`fd > 2 && fd != ${descriptors.mounts}`)}`
  const script = `${openPorts(program, descriptors)} ${startScript}; ${closeOthers}; wait $child; exit $?`
  return ['bash', '-c', script, 'sandbox']
}

function openPorts({ ports }: SandboxedProgram, { ipc }: Descriptors): string {
  if (ports.length === 0) return ''
  const list = ports.map(({ port }) => port).join(' ')
  return `NODE_CHANNEL_FD=${ipc} /run/winnow/node /run/winnow/open-ports.mjs ${list} || exit 125;`
}

function closeAll(condition: string): string {
  return `for fd in /proc/self/fd/*; do fd=\${fd##*/}; if ((${condition})); then eval "exec $fd<&-"; fi; done`
}
