import { createUnifiedDiff, isSameText, valueChanges } from '../../../content/diff.ts'
import type { ComparedVersions, CompareRequestMessage } from '../messages.ts'
import { createPartSerializer } from '../serialize-parts.ts'
import type { RequestResult } from './request-kind.ts'

export function run({
  previous,
  current,
  showsDifference,
  values,
  maxBytes,
}: CompareRequestMessage): RequestResult {
  const [previousText, currentText] = [decode(previous), decode(current)]
  const { json } = createPartSerializer(maxBytes)
  const isSame = isSameText(previousText, currentText)
  const diff = isSame || !showsDifference ? undefined : createUnifiedDiff(previousText, currentText)
  const valueDiff = values && valueChanges(decode(values.previous), decode(values.current))
  const reply: ComparedVersions = {
    isSame,
    difference: diff && { text: json(diff.text), files: json(diff.files) },
    values: valueDiff && { ...valueDiff, changes: json(valueDiff.changes) },
  }
  return { reply }
}

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
