import { useState } from 'react'
import { Button } from './button.tsx'

export function Copy({ text, name = 'Copy' }: { text: string; name?: string }) {
  const [isDone, setDone] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setDone(true)
    setTimeout(() => setDone(false), 1500)
  }
  return (
    <Button icon={isDone ? 'check' : 'copy'} onClick={copy}>
      {isDone ? 'Copied' : name}
    </Button>
  )
}
