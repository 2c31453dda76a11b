/** One part of the design page: its name at the side, what it looks like beside it. */
export function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="grid gap-x-10 gap-y-5 border-b py-10 wide:grid-cols-[11rem_1fr]">
      <h2 className="text-base font-semibold">{title}</h2>
      <div className="flex min-w-0 flex-wrap items-start gap-4">{children}</div>
    </section>
  )
}
