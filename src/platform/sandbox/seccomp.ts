import { jsonFile } from '../json/json.ts'

/** Denies calls that help to escape, and memory outside of any process, which could not be counted. */
export function seccompFilter(architecture: string, program: { nestsSandboxes: boolean }) {
  const numbers = readNumbers()[architecture]
  if (!numbers) return undefined
  const { inspected } = numbers
  // A browser needs `ptrace` for its own sandbox.
  const denied = [...Object.values(numbers.denied), ...(program.nestsSandboxes ? [] : [inspected.ptrace])]
  return assemble([
    load(architectureOffset),
    ...unless(jumpEqual, numbers.architecture, [returnAction(killProcess)]),
    load(numberOffset),
    // 64-bit Intel kernels accept a second set of call numbers, which would pass every comparison below.
    ...when(jumpAtLeast, secondSetOffset, [returnAction(failing(notPermitted))]),
    ...denied.flatMap((number) => when(jumpEqual, number, [returnAction(failing(notPermitted))])),
    ...(program.nestsSandboxes ? [] : restrictNamespaces(inspected)),
    ...when(jumpEqual, inspected.socket, [
      load(firstArgumentOffset),
      ...socketFamilies.flatMap((family) => when(jumpEqual, family, [returnAction(allow)])),
      returnAction(failing(familyNotSupported)),
    ]),
    returnAction(allow),
  ])
}

/** Flags distinguish threads and namespaces. The newer call passes them in memory, which a filter cannot read. */
function restrictNamespaces(inspected: CallNumbers['inspected']): Instruction[] {
  return [
    ...when(jumpEqual, inspected.clone3, [returnAction(failing(notImplemented))]),
    ...when(jumpEqual, inspected.clone, [
      load(firstArgumentOffset),
      ...when(jumpAnyBit, namespaceFlags, [returnAction(failing(notPermitted))]),
      returnAction(allow),
    ]),
    // Only a mount namespace is allowed, for the start of the sandbox. The kernel requires capabilities for it.
    ...when(jumpEqual, inspected.unshare, [
      load(firstArgumentOffset),
      ...when(jumpEqual, mountNamespaceFlag, [returnAction(allow)]),
      returnAction(failing(notPermitted)),
    ]),
    ...fixBufferSizes(inspected),
  ]
}

/** Buffers keep their default size, so that their memory follows from the number of sockets. */
function fixBufferSizes({ setsockopt }: CallNumbers['inspected']): Instruction[] {
  return when(jumpEqual, setsockopt, [
    load(secondArgumentOffset),
    ...unless(jumpEqual, socketLevel, [returnAction(allow)]),
    load(thirdArgumentOffset),
    ...bufferOptions.flatMap((option) => when(jumpEqual, option, [returnAction(failing(0))])),
    returnAction(allow),
  ])
}

export interface CallNumbers {
  architecture: number
  inspected: Record<'ptrace' | 'clone' | 'clone3' | 'socket' | 'unshare' | 'setsockopt', number>
  /** Includes calls whose memory is not counted for any process, and calls that reveal paths of this machine. */
  denied: Record<string, number>
}

const readNumbers = jsonFile<Record<string, CallNumbers>>(new URL('./system-calls.json', import.meta.url))

/** AF_UNIX, AF_INET and AF_INET6, which end at the loopback of the namespace, and AF_NETLINK. */
const socketFamilies = [1, 2, 10, 16]

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const namespaceFlags = 0x7e020000
/** CLONE_NEWNS, and no other flag. */
const mountNamespaceFlag = 0x00020000
const socketLevel = 1
/** SO_SNDBUF, SO_RCVBUF, SO_SNDBUFFORCE and SO_RCVBUFFORCE. */
const bufferOptions = [7, 8, 32, 33]
const secondSetOffset = 0x40000000

const notPermitted = 1
const notImplemented = 38
const familyNotSupported = 97
const allow = 0x7fff0000
const killProcess = 0x80000000
const failing = (errorNumber: number) => 0x00050000 | errorNumber

const numberOffset = 0
const architectureOffset = 4
// Offsets of the low halves of the arguments, which both architectures store first.
const firstArgumentOffset = 16
const secondArgumentOffset = 24
const thirdArgumentOffset = 32

interface Instruction {
  code: number
  onTrue: number
  onFalse: number
  value: number
}

const load = (offset: number): Instruction => ({ code: 0x20, onTrue: 0, onFalse: 0, value: offset })
const returnAction = (value: number): Instruction => ({ code: 0x06, onTrue: 0, onFalse: 0, value })

const jumpEqual = 0x15
const jumpAtLeast = 0x35
const jumpAnyBit = 0x45

function when(code: number, value: number, then: Instruction[]): Instruction[] {
  return [{ code, onTrue: 0, onFalse: then.length, value }, ...then]
}

function unless(code: number, value: number, then: Instruction[]): Instruction[] {
  return [{ code, onTrue: then.length, onFalse: 0, value }, ...then]
}

function assemble(program: Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8)
  for (const [index, { code, onTrue, onFalse, value }] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(onTrue, index * 8 + 2)
    bytes.writeUInt8(onFalse, index * 8 + 3)
    bytes.writeUInt32LE(value, index * 8 + 4)
  }
  return bytes
}
