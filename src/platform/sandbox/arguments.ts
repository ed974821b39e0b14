import { lstatSync, readlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { SandboxedProgram } from '../ports/sandbox.ts'

export interface SandboxPaths {
  /** The Node that opens the ports inside. */
  node: string
  /** Folders that must not be visible inside although they are below system folders. */
  hidden: string[]
  /** A cgroup v2 folder in which groups may be created; detected if not given. */
  groups?: string | undefined
}

export interface Descriptors {
  /** Descriptor that receives the ports, until the program starts. */
  ipc: number
  seccomp: number
  options: number
  /** Descriptors of the files that are written inside, one for each of `sandboxPath`. */
  files: number[]
  /** Not in use by any of the above: the namespace of mounts, and the root in it. */
  mounts: number
  root: number
}

/** Our own files, which are copied inside rather than mounted: the mount table would reveal their location. */
export const sandboxPath = [
  { from: inside('open-ports.mjs'), to: '/run/winnow/open-ports.mjs' },
  { from: inside('hosts'), to: '/etc/hosts' },
]

/** The user inside: a separate user if the service is root, otherwise the service's user in a namespace. */
export type Identity = { uid: number } | 'own-namespace'

/**
 * All arguments for bubblewrap; pure except that it reads how the system folders are linked. Those that are shown go on the command
 * line, which every process inside can read; the hidden ones contain paths of this machine and go through a descriptor.
 */
export function sandboxArguments(
  program: SandboxedProgram,
  { paths, identity, descriptors }: { paths: SandboxPaths; identity: Identity; descriptors: Descriptors },
): { shown: string[]; hidden: string[] } {
  const hidden = [
    ...isolation(identity, program),
    ...system(),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...ownFolder('/tmp', program.limits.filesMegabytes),
    ...ownFolder('/dev/shm', program.limits.filesMegabytes),
    ...sandboxPath.flatMap(({ to }, index) => written(descriptors.files[index], to)),
    ...(isOfSystem(paths.node)
      ? ['--symlink', paths.node, '/run/winnow/node']
      : readOnly(paths.node, '/run/winnow/node')),
    ...program.readable.flatMap(({ from, to }) => readOnly(from, to)),
    ...paths.hidden.filter(isOfSystem).flatMap((path) => ['--tmpfs', path, '--remount-ro', path]),
    // Without it, a program that owns the namespace could fill the memory behind these folders.
    ...['--remount-ro', '/', '--remount-ro', '/dev'],
    ...['--chdir', '/tmp', '--clearenv'],
    ...Object.entries(program.environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--seccomp', String(descriptors.seccomp)],
  ]
  const start = program.nestsSandboxes
    ? [...become(identity), ...beginBrowser(program, descriptors), ...limits(program)]
    : [
        ...leaveMounts(descriptors),
        ...become(identity),
        ...beginCode(program, descriptors),
        ...limits(program),
      ]
  return { hidden, shown: ['--args', String(descriptors.options), '--', ...start, ...program.command] }
}

function isolation(identity: Identity, { nestsSandboxes }: SandboxedProgram): string[] {
  const apart = ['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try']
  const all = [...apart, '--die-with-parent', '--new-session', '--hostname', 'sandbox', '--cap-drop', 'ALL']
  // Only for a moment: to leave the mount namespace, to change the user, and to drop all other capabilities.
  const leaving = nestsSandboxes ? [] : ['CAP_SYS_ADMIN', 'CAP_SYS_CHROOT', 'CAP_SETPCAP']
  const becoming = identity === 'own-namespace' ? [] : ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP']
  const capabilities = [...new Set([...leaving, ...becoming])].flatMap((name) => ['--cap-add', name])
  return [
    ...all,
    ...capabilities,
    ...(nestsSandboxes ? [] : ['--as-pid-1']),
    ...(identity === 'own-namespace' ? ['--unshare-user', '--uid', '1000', '--gid', '1000'] : []),
  ]
}

/** The programs of the system, read-only, with as little of /etc as programs and fonts need. */
function system(): string[] {
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...['/bin', '/sbin', '/lib', '/lib32', '/lib64'].flatMap(asOnHost),
    ...folder('/etc'),
    ...['fonts', 'alternatives', 'ld.so.cache', 'localtime', 'mime.types'].flatMap((name) => [
      ...['--ro-bind-try', `/etc/${name}`, `/etc/${name}`],
    ]),
    ...folder('/run'),
    ...folder('/run/winnow'),
  ]
}

/** On most systems these are links into /usr, on some they are folders, on others they are missing. */
function asOnHost(path: string): string[] {
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

const written = (descriptor: number | undefined, to: string) => [
  '--perms',
  '0444',
  '--file',
  String(descriptor),
  to,
]

/** System folders are mounted at their original path, so that the paths reveal nothing. */
const isOfSystem = (path: string) => path.startsWith('/usr/')

function inside(name: string): string {
  return fileURLToPath(new URL(`./inside/${name}`, import.meta.url))
}

function ownFolder(path: string, megabytes: number): string[] {
  return ['--perms', '1777', '--size', String(megabytes * 1024 * 1024), '--tmpfs', path]
}

/**
 * The mount table contains the paths on this machine that are mounted inside, and every process may read it. It lists
 * the mounts of the namespace that are reachable from the root of the process. So the program gets its own namespace,
 * a copy, while its root stays in the original one: from there, none of the copies are reachable. This does not work for a
 * browser, because the kernel would deny it its own sandbox.
 */
function leaveMounts({ mounts, root }: Descriptors): string[] {
  const leave = `unshare --mount --propagation unchanged --root=/proc/self/fd/${root} --wd=/tmp`
  return ['bash', '-c', `exec ${mounts}</proc/self/ns/mnt ${root}</; exec ${leave} -- "$@"`, 'sandbox']
}

function become(identity: Identity): string[] {
  const lose = ['--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all', '--no-new-privs']
  // A process that changes its user would otherwise outlive the service.
  const setpriv = ['setpriv', ...lose, '--pdeathsig', 'KILL']
  if (identity === 'own-namespace') return setpriv
  const user = String(identity.uid)
  return [...setpriv, '--reuid', user, '--regid', user, '--clear-groups']
}

function limits({ limits: most, nestsSandboxes }: SandboxedProgram): string[] {
  const { threads, processMegabytes, openFiles } = most
  // A limit on address space would stop V8 at its start, because it reserves far more than it uses; a limit on data does not.
  const memory = processMegabytes === undefined ? [] : [`--data=${processMegabytes * 1024 * 1024}`]
  const files = openFiles === undefined ? [] : [`--nofile=${openFiles}`]
  const set = ['prlimit', '--core=0', '--msgqueue=0', `--nproc=${threads}`, ...memory, ...files, '--']
  // Code of callers has a lower priority than the service; a browser does not, because people wait for it.
  return nestsSandboxes ? set : [...set, 'nice', '-n', '5']
}

/** Passes the ports, closes every channel that the program should not have, and only then starts it. */
function beginBrowser(program: SandboxedProgram, descriptors: Descriptors): string[] {
  const close = closeAll(`fd > ${2 + program.channels}`)
  return ['bash', '-c', `${openPorts(program, descriptors)} ${close}; exec "$@"`, 'sandbox']
}

/**
 * The same, from the first process of the sandbox, which stays: all others end with it, and it keeps the namespace that
 * contains the root of all others.
 */
function beginCode(program: SandboxedProgram, descriptors: Descriptors): string[] {
  const start = `(${closeAll(`fd > ${2 + program.channels}`)}; exec "$@") & child=$!`
  const stay = `exec >/dev/null 2>&1; ${closeAll(`fd > 2 && fd != ${descriptors.mounts}`)}`
  const script = `${openPorts(program, descriptors)} ${start}; ${stay}; wait $child; exit $?`
  return ['bash', '-c', script, 'sandbox']
}

function openPorts({ ports }: SandboxedProgram, { ipc }: Descriptors): string {
  if (ports.length === 0) return ''
  const list = ports.map(({ port }) => port).join(' ')
  return `NODE_CHANNEL_FD=${ipc} /run/winnow/node /run/winnow/open-ports.mjs ${list} || exit 125;`
}

/** Closes all descriptors, not only ours: those that the service inherited could be open here too. */
function closeAll(condition: string): string {
  return `for fd in /proc/self/fd/*; do fd=\${fd##*/}; if ((${condition})); then eval "exec $fd<&-"; fi; done`
}
