#if GTK
import CGTK

/// Says what is wrong with a program where GLib says it, on standard error by default.
enum Complaint {
    static func warn(_ message: String) { say(message, G_LOG_LEVEL_WARNING) }

    static func complain(_ message: String) { say(message, G_LOG_LEVEL_CRITICAL) }

    private static func say(_ message: String, _ level: GLogLevelFlags) {
        message.withCString { text in
            "WebImageGTK".withCString { domain in
                "MESSAGE".withCString { messageKey in
                    "GLIB_DOMAIN".withCString { domainKey in
                        let fields = [
                            GLogField(key: messageKey, value: text, length: -1),
                            GLogField(key: domainKey, value: domain, length: -1),
                        ]
                        g_log_structured_array(level, fields, gsize(fields.count))
                    }
                }
            }
        }
    }
}
#endif
