import { Tabs as Primitive } from 'radix-ui'
import { tabClass, tabRowClass } from './tab-links.tsx'

/** Tabs inside one page: the parts are all here, only one is shown. */
export function Tabs<V extends string>(props: {
  label: string
  tabs: { value: V; label: React.ReactNode; content: React.ReactNode }[]
  value?: V
  onChange?: (value: V) => void
}) {
  return (
    <Primitive.Root
      defaultValue={props.tabs[0]?.value}
      {...(props.value !== undefined && { value: props.value })}
      onValueChange={(value) => props.onChange?.(value as V)}
    >
      <Primitive.List aria-label={props.label} className={tabRowClass}>
        {props.tabs.map((tab) => (
          <Primitive.Trigger key={tab.value} value={tab.value} className={tabClass}>
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {props.tabs.map((tab) => (
        <Primitive.Content key={tab.value} value={tab.value} className="pt-5">
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  )
}
