import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { PageError } from '../../../client/src/types.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/page.tsx'
import { formatCount } from '../ui/units.ts'
import type { PageRow } from './page-stream.ts'
import { buildTree, sortChildren, type TreeNode } from './page-tree.ts'
import { type ErrorsQuery, usePageErrors } from './use-page-errors.ts'

interface SiteTreeProps extends ErrorsQuery {
  rows: readonly PageRow[]
  openedId: string | undefined
  onOpen: (id: string) => void
}

/** Pages of the site as a tree of URL paths. */
export function SiteTree({ rows, path, failed, isRunning, ...rest }: SiteTreeProps) {
  const { data } = usePageErrors({ path, failed, isRunning })
  const errors = data?.errors
  const root = useMemo(() => buildTree(rows, errors ?? []), [rows, errors])
  if (root.count === 0) return <Empty>{isRunning ? 'No pages yet.' : 'No pages.'}</Empty>
  return (
    <div className="site-tree">
      <Children node={root} depth={0} {...rest} />
    </div>
  )
}

type NodeProps = Pick<SiteTreeProps, 'openedId' | 'onOpen'> & { node: TreeNode; depth: number }

const childrenPerStep = 200

function Children({ node, depth, ...rest }: NodeProps) {
  const [shown, setShown] = useState(childrenPerStep)
  const children = sortChildren(node)
  return (
    <ul>
      {children.slice(0, shown).map((child) => (
        <li key={child.path}>
          <Branch node={child} depth={depth} {...rest} />
        </li>
      ))}
      {children.length > shown && (
        <li>
          <Button icon="more" onClick={() => setShown(shown + childrenPerStep)}>
            Show more ({formatCount(children.length - shown)})
          </Button>
        </li>
      )}
    </ul>
  )
}

function Branch({ node, depth, openedId, onOpen }: NodeProps) {
  const [isOpen, setOpen] = useState(depth < 2)
  if (node.children.size === 0) return <Leaf node={node} openedId={openedId} onOpen={onOpen} />
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <strong>{node.name}</strong> <span className="badge">{formatCount(node.count)}</span>{' '}
        {node.failed > 0 && <span className="badge bad">{formatCount(node.failed)} failed</span>}
      </summary>
      {isOpen && (node.page || node.error) && (
        <Leaf node={{ ...node, name: `${node.name}/` }} openedId={openedId} onOpen={onOpen} />
      )}
      {isOpen && <Children node={node} depth={depth + 1} openedId={openedId} onOpen={onOpen} />}
    </details>
  )
}

function Leaf({ node: { page, error, name }, openedId, onOpen }: Omit<NodeProps, 'depth'>) {
  if (!page) return error ? <FailedLeaf name={name} error={error} /> : <span>{name}</span>
  return (
    <button
      type="button"
      className="tree-leaf"
      aria-current={page.id === openedId ? 'true' : undefined}
      onClick={() => onOpen(page.id)}
    >
      <span>{name}</span> <span className="quiet">{page.title}</span>
    </button>
  )
}

function FailedLeaf({ name, error: { id, code } }: { name: string; error: PageError }) {
  return (
    <Link className="tree-leaf" to="/activity/$id" params={{ id }}>
      {name} <span className="badge bad">{code}</span>
    </Link>
  )
}
