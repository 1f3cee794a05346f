// Opens windows, does one thing with them, and prints what it sees: one JSON object a line.
//
//   GTKTrial SCENARIO
//
// Not asynchronous at the top: an await here would move the main actor away from the first thread.
#if GTK
import CGTK
import Dispatch
import Foundation
import Glibc
import WebImageGTK

// A trial that hangs is a trial that fails.
alarm(300)
let name = CommandLine.arguments.dropFirst().first ?? ""
if name == "offMain" {
    // The main actor on a thread that is not the first.
    Task {
        do { try MainLoop.attach() } catch { Report.say("error", "\(error)") }
        exit(0)
    }
    dispatchMain()
}
if name == "foreignLoop" {
    // Another loop runs the main queue, and this is called from within it.
    Task {
        do { try MainLoop.attach() } catch { Report.say("error", "\(error)") }
        exit(0)
    }
    RunLoop.main.run()
}
guard gtk_init_check() != 0 else {
    Report.say("error", "GTK finds no display.")
    exit(1)
}
guard let scenario = Scenario.all[name] else {
    Report.say("error", "There is no scenario \(name).")
    exit(2)
}
let loop = g_main_loop_new(nil, 0)
do { try MainLoop.attach() } catch {
    Report.say("error", "\(error)")
    exit(3)
}
Task {
    do { try await scenario() } catch { Report.say("error", "\(error)") }
    g_main_loop_quit(loop)
}
g_main_loop_run(loop)
Report.say("done", 1)
#else
print("Built without GTK.")
#endif
