#if GTK
/// Runs what GTK calls back with its argument, or its context.
func onMain<Argument>(_ argument: Argument, _ body: @MainActor (Argument) -> Void) {
    // Not sent anywhere: GTK calls on the thread of the main actor, and this traps if it does not.
    nonisolated(unsafe) let argument = argument
    MainActor.assumeIsolated { body(argument) }
}
#endif
