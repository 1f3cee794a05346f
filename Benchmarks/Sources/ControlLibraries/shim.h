// Only the C controls include these libraries; Swift sees none of them.
